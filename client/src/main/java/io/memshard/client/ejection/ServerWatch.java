// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.EjectionOptions;
import io.memshard.client.options.ServerAddress;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether commands go to a server, by what its connections meet and by probes.
 *
 * <h2>What is a failure</h2>
 *
 * <p>Four things are: an attempt to connect that fails, a connection that is lost with commands in flight, a quarter of
 * a second without any connection, and a time-out. A time-out counts only if the server has answered nothing, on any
 * connection, from when its command was sent. A refusal of credentials is an answer. A time-out for which this process
 * is to blame, because nothing ran or nobody read, is no failure of the server.
 *
 * <p>Time without a connection counts because attempts to connect are few: they wait longer and longer, and for the
 * budget of sockets. So a server that accepts and resets uses up the budget within half a second, and then meets one
 * attempt in 1.25 s. Nothing else would count meanwhile, and all commands fail. The quarter begins with the last reply
 * or failure, and a loss is one failure. So a server whose connections are lost, and then opened within a second, is
 * not ejected for that.
 *
 * <p>Failures at the same time have one cause, so they count once. The timer looks every few dozen milliseconds, and
 * counts one failure then at most. A time-out counts only if its command was sent after the failure before. So a pause
 * of the server is one failure, however many callers or connections it meets. A row of five takes a caller, or a
 * thousand, five times the request timeout.
 *
 * <p>Replies end the row, but for a server that hardly answers: {@link FailureRow} says when. Replies to greetings are
 * left out, because a server that greets and then closes is one that fails. So is a connection that is merely there.
 *
 * <h2>What it costs</h2>
 *
 * <p>Nothing where commands and replies pass. The links count their replies anyway; the timer compares the sums. Links
 * report a time-out where they make its exception. So a command costs what the sender needs to read {@link #isEjected}.
 *
 * <h2>Probes</h2>
 *
 * <p>An ejected server is probed after waits that grow by full jitter while it does not answer. Each answer has the
 * connections that were lost opened again. When enough probes in a row were answered and these connections are there,
 * it is taken back.
 *
 * <h2>On trial</h2>
 *
 * <p>A probe is not a caller, and a server may answer the one and not the other. So a server that was taken back is on
 * trial until it has answered callers for as long as probes are apart at most. On trial {@value #FAILURES_ON_TRIAL}
 * failures eject it. Then the waits between probes go on growing, so that flapping slows down, and the first is {@value
 * #TIMES_AWAY} times as long as it has failed on trial. Two failures take two request timeouts, and the calls in flight
 * with the second take a third. So callers wait for such a server for a tenth of the time at most, whatever their
 * timeouts are.
 *
 * <p>Threading: thread-safe. {@link #tick} is called by the timer; it alone changes the state.
 *
 * <p>Memory effects: {@link #ejected} and {@link #status} are written by the timer and read by callers. A caller may
 * see a change one command late.
 */
public final class ServerWatch {

    /** What a watch has others do. Called by the timer; must not block. */
    public interface Actions {

        /**
         * Begins to ask the server for an answer over a connection of its own, and calls {@link ServerWatch#probed}
         * when that has ended.
         */
        void probe();

        /** Has lost connections be opened now. */
        void reconnect();

        /** Whether no connection waits to be opened again. */
        boolean isReconnected();

        /** Whether no connection is open, and one is to be opened again that was lost or could not be opened. */
        boolean isCutOff();

        /** The status has changed. */
        void changed(ServerStatus before, ServerStatus now);
    }

    /** Between ticks that are further apart the process stood still, and time-outs prove nothing. */
    private static final long STOOD_STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** So long without a connection, since the last reply or failure, is a failure. */
    private static final long CUT_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long to wait for connections after the last probe was answered. */
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** How many failures in a row eject a server on trial. */
    private static final int FAILURES_ON_TRIAL = 2;

    /** A server that fails on trial stays away for so many times as long as it has failed. */
    private static final int TIMES_AWAY = 20;

    private final Actions actions;
    private final InstantSource clock;
    private final RandomGenerator random;

    /** Whether commands are not to go there: a part of {@link #status} that is read for each command. */
    private volatile boolean ejected;

    private volatile ServerStatus status;

    /** Null while nothing is to be ejected. */
    private volatile @Nullable EjectionOptions options;

    // What others tell between two ticks. Guarded by this.

    private @Nullable String failure;
    private @Nullable String timeout;
    private long timeoutSentNanos;
    private long timeoutNanos;
    private boolean answered;
    private boolean probed;
    private @Nullable String probeFailure;

    // Of the timer, all of the following.

    private boolean ticked;
    private long tickNanos;

    private final FailureRow row = new FailureRow();

    /** A time-out counts if its command was sent after this: the last reply, or the last failure. */
    private long unansweredSinceNanos;

    private boolean probing;
    private long nextProbeNanos;
    private int unansweredProbes;
    private int answeredProbes;
    private long answeredNanos;

    /** For how long the server has to answer until it is not on trial any more; zero or less if it is not. */
    private long trialNanos;

    /**
     * The watch over a server that is up. It ejects nothing before {@link #eject}.
     *
     * @param random draws the waits between probes
     */
    public ServerWatch(ServerAddress server, Actions actions, InstantSource clock, RandomGenerator random) {
        this.actions = actions;
        this.clock = clock;
        this.random = random;
        status = new ServerStatus(server, ServerState.UP, null, clock.instant());
    }

    /** Ejects the server by these options from now on; null never, and takes it back with the next tick. */
    public void eject(@Nullable EjectionOptions by) {
        options = by;
    }

    /** Whether commands are not to go there. One volatile read. */
    public boolean isEjected() {
        return ejected;
    }

    /** The state, and why. */
    public ServerStatus status() {
        return status;
    }

    /** A connection could not be opened, or was lost with commands in flight. */
    public synchronized void failed(String why) {
        failure = why;
    }

    /**
     * A command on an open connection had no reply in time, by no fault of this process.
     *
     * @param sentNanos when it was sent, in {@link System#nanoTime()}
     * @param nowNanos when its time was over, by the same clock
     */
    public synchronized void timedOut(long sentNanos, long nowNanos, String why) {
        if (timeout == null || sentNanos - timeoutSentNanos > 0) {
            timeout = why;
            timeoutSentNanos = sentNanos;
            timeoutNanos = nowNanos;
        }
    }

    /** The server has answered a command, on any connection. */
    public synchronized void answered() {
        answered = true;
    }

    /**
     * The probe has ended.
     *
     * @param why it was not answered; null if it was
     */
    public synchronized void probed(@Nullable String why) {
        probed = true;
        probeFailure = why;
    }

    /** What others have told since the tick before. */
    private record Told(
            @Nullable String failure,
            @Nullable String timeout,
            long timeoutSentNanos,
            long timeoutNanos,
            boolean answered,
            boolean probed,
            @Nullable String probeFailure) {}

    private synchronized Told take() {
        Told told = new Told(failure, timeout, timeoutSentNanos, timeoutNanos, answered, probed, probeFailure);
        failure = null;
        timeout = null;
        answered = false;
        probed = false;
        probeFailure = null;
        return told;
    }

    /**
     * The timer's call, after the connections have told what they met.
     *
     * @param nowNanos a {@link System#nanoTime()}
     */
    public void tick(long nowNanos) {
        long before = tickNanos;
        boolean stoodStill = !ticked || nowNanos - before >= STOOD_STILL_NANOS;
        ticked = true;
        tickNanos = nowNanos;
        Told told = take();
        if (told.probed) {
            probing = false;
        }
        EjectionOptions by = options;
        if (by == null) {
            row.clear(nowNanos);
            unansweredSinceNanos = nowNanos;
            trialNanos = 0;
            if (ejected) {
                become(ServerState.UP, "nothing is ejected any more");
            }
        } else if (ejected) {
            tickEjected(told, nowNanos, by);
        } else {
            tickUp(told, stoodStill, before, nowNanos, by);
        }
    }

    private void tickUp(Told told, boolean stoodStill, long beforeNanos, long nowNanos, EjectionOptions by) {
        if (stoodStill) {
            row.skip(nowNanos);
            unansweredSinceNanos = nowNanos;
        }
        String why = null;
        if (told.failure != null) {
            why = told.failure;
            row.count();
            // It came after the tick before, perhaps just after.
            row.lost(beforeNanos);
            unansweredSinceNanos = nowNanos;
        } else if (told.timeout != null && !stoodStill) {
            if (!told.answered && told.timeoutSentNanos - unansweredSinceNanos >= 0) {
                why = told.timeout;
                row.count();
                unansweredSinceNanos = told.timeoutNanos;
            }
            row.unanswered(told.timeoutSentNanos, told.answered ? beforeNanos : told.timeoutNanos);
        } else if (!told.answered && actions.isCutOff()) {
            row.lost(nowNanos);
            if (nowNanos - unansweredSinceNanos >= CUT_OFF_NANOS) {
                why = "there is no connection";
                row.count();
                unansweredSinceNanos = nowNanos;
            }
        }
        if (told.answered) {
            trialNanos -= row.answered(nowNanos);
            // The reply came after the tick before, and perhaps before commands that were sent since then.
            unansweredSinceNanos = stoodStill ? nowNanos : beforeNanos;
        }
        if (why != null && row.failures() >= (isOnTrial() ? FAILURES_ON_TRIAL : by.ejectAfter())) {
            eject(why, nowNanos, by);
        }
    }

    private boolean isOnTrial() {
        return trialNanos > 0;
    }

    private void eject(String why, long nowNanos, EjectionOptions by) {
        unansweredProbes = isOnTrial() ? unansweredProbes + 1 : 0;
        answeredProbes = 0;
        long away = isOnTrial() ? TIMES_AWAY * row.failedNanos() : 0;
        nextProbeNanos = nowNanos + Math.max(away, by.probeDelay().delayNanos(unansweredProbes, random));
        become(ServerState.EJECTED, row.failures() + " failures in a row, the last: " + why);
    }

    private void tickEjected(Told told, long nowNanos, EjectionOptions by) {
        if (told.probed && told.probeFailure == null) {
            answeredProbes++;
            answeredNanos = nowNanos;
            nextProbeNanos = nowNanos + by.probeDelay().delayNanos(0, random);
            actions.reconnect();
            if (status.state() == ServerState.EJECTED) {
                become(ServerState.PROBING, "it has answered a probe; before: " + status.reason());
            }
        } else if (told.probed) {
            answeredProbes = 0;
            unansweredProbes++;
            nextProbeNanos = nowNanos + by.probeDelay().delayNanos(unansweredProbes, random);
            if (status.state() == ServerState.PROBING) {
                become(ServerState.EJECTED, "it has failed to answer another probe: " + told.probeFailure);
            }
        }
        if (answeredProbes >= by.takeBackAfter()) {
            if (actions.isReconnected() || nowNanos - answeredNanos >= RECONNECT_NANOS) {
                takeBack(nowNanos, by);
            }
        } else if (!probing && nowNanos - nextProbeNanos >= 0) {
            probing = true;
            actions.probe();
        }
    }

    private void takeBack(long nowNanos, EjectionOptions by) {
        row.clear(nowNanos);
        unansweredSinceNanos = nowNanos;
        trialNanos = by.probeDelay().limit().toNanos();
        become(ServerState.UP, "it has answered " + answeredProbes + (answeredProbes == 1 ? " probe" : " probes"));
    }

    private void become(ServerState state, String reason) {
        ServerStatus before = status;
        ServerStatus now = new ServerStatus(before.server(), state, reason, clock.instant());
        status = now;
        ejected = state != ServerState.UP;
        actions.changed(before, now);
    }
}
