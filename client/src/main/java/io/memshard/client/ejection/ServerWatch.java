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
 * Whether commands go to a server: tells that from what its connections meet, and from probes.
 *
 * <h2>What is a failure</h2>
 *
 * <p>Three things are: an attempt to connect that fails, a connection that is lost with commands in flight, and a
 * command whose time is over. The last counts only if the server has answered nothing, on any connection, from when it
 * was sent. A refusal of credentials is an answer. A time-out for which this process is to blame, because nothing ran
 * or nobody read, is no failure of the server.
 *
 * <p>Failures at the same time have one cause, so they count once. The timer looks every few dozen milliseconds, and
 * counts one failure then at most. A time-out counts only if its command was sent after the failure before. So a pause
 * of the server is one failure, however many callers or connections it meets. A row of five takes a caller, or a
 * thousand, five times the request timeout.
 *
 * <p>Any reply on any connection ends the row. The replies to greetings are left out: a server that greets and then
 * closes is one that fails.
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
 * it is taken back. A server that is ejected again soon afterwards is probed as if it had not been taken back, so that
 * flapping slows down.
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

        /** The status has changed. */
        void changed(ServerStatus before, ServerStatus now);
    }

    /** Between ticks that are further apart the process stood still, and time-outs prove nothing. */
    private static final long STOOD_STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long to wait for connections after the last probe was answered. */
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

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
    private boolean answered;
    private boolean probed;
    private @Nullable String probeFailure;

    // Of the timer, all of the following.

    private boolean ticked;
    private long tickNanos;

    /** Failures in a row. */
    private int failures;

    /** A time-out counts if its command was sent after this: the last reply, or the last failure. */
    private long unansweredSinceNanos;

    private boolean probing;
    private long nextProbeNanos;
    private int unansweredProbes;
    private int answeredProbes;
    private long answeredNanos;

    private boolean wasTakenBack;
    private long takenBackNanos;

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
     */
    public synchronized void timedOut(long sentNanos, String why) {
        if (timeout == null || sentNanos - timeoutSentNanos > 0) {
            timeout = why;
            timeoutSentNanos = sentNanos;
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
            boolean answered,
            boolean probed,
            @Nullable String probeFailure) {}

    private synchronized Told take() {
        Told told = new Told(failure, timeout, timeoutSentNanos, answered, probed, probeFailure);
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
        boolean stoodStill = !ticked || nowNanos - tickNanos >= STOOD_STILL_NANOS;
        ticked = true;
        tickNanos = nowNanos;
        Told told = take();
        if (told.probed) {
            probing = false;
        }
        EjectionOptions by = options;
        if (by == null) {
            failures = 0;
            unansweredSinceNanos = nowNanos;
            if (ejected) {
                become(ServerState.UP, "nothing is ejected any more");
            }
        } else if (ejected) {
            tickEjected(told, nowNanos, by);
        } else {
            tickUp(told, stoodStill, nowNanos, by);
        }
    }

    private void tickUp(Told told, boolean stoodStill, long nowNanos, EjectionOptions by) {
        if (told.answered) {
            failures = 0;
            unansweredSinceNanos = nowNanos;
        } else if (told.failure != null) {
            countFailure(told.failure, nowNanos, by);
        } else if (stoodStill) {
            unansweredSinceNanos = nowNanos;
        } else if (told.timeout != null && told.timeoutSentNanos - unansweredSinceNanos >= 0) {
            countFailure(told.timeout, nowNanos, by);
        }
    }

    private void countFailure(String why, long nowNanos, EjectionOptions by) {
        failures++;
        unansweredSinceNanos = nowNanos;
        if (failures < by.ejectAfter()) {
            return;
        }
        boolean again = wasTakenBack
                && nowNanos - takenBackNanos <= by.probeDelay().limit().toNanos();
        unansweredProbes = again ? unansweredProbes + 1 : 0;
        answeredProbes = 0;
        nextProbeNanos = nowNanos + by.probeDelay().delayNanos(unansweredProbes, random);
        become(ServerState.EJECTED, failures + " failures in a row, the last: " + why);
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
                takeBack(nowNanos);
            }
        } else if (!probing && nowNanos - nextProbeNanos >= 0) {
            probing = true;
            actions.probe();
        }
    }

    private void takeBack(long nowNanos) {
        failures = 0;
        unansweredSinceNanos = nowNanos;
        wasTakenBack = true;
        takenBackNanos = nowNanos;
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
