// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Detector of failures of one server. {@code docs/server-down.md} has the rules; the reasons for the rules follow.
 *
 * <p>Simultaneous failures usually have one cause, so a tick counts at most one failure. A time-out counts only if its
 * command was sent after the previous failure. Five time-outs in a row thus take five request timeouts.
 *
 * <p>After a suspension of this process, commands may time out before their replies are read. Time-outs found by a late
 * tick therefore count only at the next tick, and only if no reply was read until then.
 *
 * <p>A slow server may answer some commands in time, and so end its row of failures. The server is therefore also
 * ejected if most commands of the last two seconds timed out.
 *
 * <p>A failing server may answer probes, but no other commands. A server that was taken back is therefore on trial for
 * some time, in which two failures eject it again.
 *
 * <p>Threading: thread-safe. Only the timer calls {@link #tick}, which alone changes the state.
 */
public final class ServerWatch {

    /** Actions that a {@link ServerWatch} requests. The timer calls these methods, so they must not block. */
    public interface Actions {

        /** Starts a probe, and reports its result to {@link ServerWatch#probed}. */
        void probe();

        void reconnect();

        boolean isReconnected();

        boolean isCutOff();

        /** Returns null if a connection is open, or if no connection was lost or refused. */
        @Nullable
        String whyUnreachable();

        void changed(ServerStatus before, ServerStatus now);
    }

    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int TAKE_BACK_AFTER = 2;
    private static final int LEAST_COMMANDS = 10;
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CUT_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long UNREACHABLE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final int FAILURES_ON_TRIAL = 2;
    private static final int AWAY_FACTOR = 20;

    private final Actions actions;
    private final InstantSource clock;
    private final RandomGenerator random;

    private volatile boolean ejected;
    private volatile ServerStatus status;
    private volatile @Nullable EjectionOptions options;
    private volatile boolean ejectsIfSilent;

    /** Guarded by this object, until the timer takes the events. */
    private Events reported = new Events();

    private static final class Events {

        private @Nullable String failure;
        private @Nullable String timeout;
        private long timeoutSentNanos;
        private long timeoutNanos;
        private long timedOut;
        private long answered;
        private long late;
        private boolean probed;
        private @Nullable String probeFailure;

        void addTimeouts(long count, @Nullable String why, long sentNanos, long nowNanos) {
            timedOut += count;
            if (why != null && (timeout == null || sentNanos - timeoutSentNanos > 0)) {
                timeout = why;
                timeoutSentNanos = sentNanos;
                timeoutNanos = nowNanos;
            }
        }

        boolean isAnswered() {
            return answered > 0;
        }
    }

    // Confined to the timer: all fields below.

    private boolean ticked;
    private long tickNanos;
    private boolean stalledBefore;
    private long stalledNanos;

    private final FailureRow row = new FailureRow();
    private final RecentCommands recent = new RecentCommands();

    private boolean mostlyLate;
    private long mostlyLateSinceNanos;

    /** Time of the last reply or failure. */
    private long unansweredSinceNanos;

    private boolean probing;
    private long nextProbeNanos;
    private int unansweredProbes;
    private int answeredProbes;
    private long answeredNanos;
    private long trialNanos;
    private long takenBackNanos;
    private long reachedNanos;

    public ServerWatch(ServerAddress server, Actions actions, InstantSource clock, RandomGenerator random) {
        this.actions = actions;
        this.clock = clock;
        this.random = random;
        status = new ServerStatus(server, ServerState.UP, null, clock.instant());
    }

    /** Sets when the server is ejected; null for never. If {@code ifSilent}, only time-outs count. */
    public void eject(@Nullable EjectionOptions by, boolean ifSilent) {
        ejectsIfSilent = ifSilent;
        options = by;
    }

    public boolean isEjected() {
        return ejected;
    }

    public ServerStatus status() {
        return status;
    }

    public synchronized void failed(String why) {
        reported.failure = why;
    }

    public synchronized void timedOut(long sentNanos, long nowNanos, String why) {
        reported.addTimeouts(1, why, sentNanos, nowNanos);
    }

    public synchronized void replied(long inTime, long tooLate) {
        reported.answered += inTime;
        reported.late += tooLate;
    }

    /** Reports the end of the probe. {@code why} is null if the probe was answered. */
    public synchronized void probed(@Nullable String why) {
        reported.probed = true;
        reported.probeFailure = why;
    }

    private synchronized Events take(boolean stalled) {
        Events events = reported;
        reported = new Events();
        boolean excused = (stalled || stalledBefore) && events.answered + events.late > 0;
        if (stalled && !excused) {
            reported.addTimeouts(events.timedOut, events.timeout, events.timeoutSentNanos, events.timeoutNanos);
        }
        if (stalled || excused) {
            events.timeout = null;
            events.timedOut = 0;
        }
        return events;
    }

    public void tick(long nowNanos) {
        long before = tickNanos;
        boolean stalled = !ticked || nowNanos - before >= STALL_NANOS;
        Events events = take(stalled);
        if (!ticked) {
            begin(nowNanos);
            reachedNanos = nowNanos;
        }
        ticked = true;
        tickNanos = nowNanos;
        stalledBefore = stalled;
        stalledNanos = stalled ? nowNanos : stalledNanos;
        if (events.probed) {
            probing = false;
        }
        EjectionOptions by = options;
        if (by == null) {
            begin(nowNanos);
            trialNanos = 0;
            if (ejected) {
                become(ServerState.UP, "ejection is disabled");
            }
        } else if (ejected) {
            tickEjected(events, nowNanos, by);
        } else {
            tickUp(events, stalled, before, nowNanos, by);
        }
        tickReach(nowNanos);
    }

    private void tickReach(long nowNanos) {
        String why = ejected ? null : actions.whyUnreachable();
        if (why == null) {
            reachedNanos = nowNanos;
            if (status.state() == ServerState.UNREACHABLE) {
                become(ServerState.UP, "a connection is open");
            }
        } else if (status.state() == ServerState.UP && nowNanos - reachedNanos >= UNREACHABLE_NANOS) {
            become(ServerState.UNREACHABLE, why);
        }
    }

    private void begin(long nowNanos) {
        row.clear(nowNanos);
        recent.clear(nowNanos);
        mostlyLate = false;
        unansweredSinceNanos = nowNanos;
    }

    private void tickUp(Events events, boolean stalled, long beforeNanos, long nowNanos, EjectionOptions by) {
        if (stalled) {
            row.skip(nowNanos);
        }
        row.add(events.answered, events.timedOut);
        String why = null;
        if (events.failure != null && !ejectsIfSilent) {
            why = events.failure;
            row.count();
            // The failure happened after the previous tick, perhaps immediately after.
            row.lost(beforeNanos);
            unansweredSinceNanos = nowNanos;
        } else if (events.timeout != null) {
            if (!events.isAnswered() && events.timeoutSentNanos - unansweredSinceNanos >= 0) {
                why = row.isMostlyTimedOut() ? events.timeout : null;
                row.count();
                unansweredSinceNanos = events.timeoutNanos;
            }
            row.unanswered(events.timeoutSentNanos, events.isAnswered() ? beforeNanos : events.timeoutNanos);
        } else if (!events.isAnswered() && !ejectsIfSilent && actions.isCutOff()) {
            row.lost(nowNanos);
            if (nowNanos - unansweredSinceNanos >= CUT_OFF_NANOS && nowNanos - stalledNanos >= CUT_OFF_NANOS) {
                why = "no connection is open";
                row.count();
                unansweredSinceNanos = nowNanos;
            }
        }
        if (events.isAnswered()) {
            trialNanos -= row.answered(nowNanos);
            // The reply came after the previous tick, perhaps before commands that were sent since then.
            unansweredSinceNanos = stalled ? nowNanos : beforeNanos;
        }
        recent.add(nowNanos, events.answered, events.timedOut);
        if (why != null && row.failures() >= (isOnTrial() ? FAILURES_ON_TRIAL : by.ejectAfter())) {
            String reason = row.failures() + " failures in a row, the last: " + why;
            eject(reason, row.failedNanos(), nowNanos, by);
        } else if (isMostlyLate(events, nowNanos)) {
            String reason = recent.timedOut() + " of " + (recent.timedOut() + recent.answered())
                    + " commands timed out within two seconds, the last: " + events.timeout;
            eject(reason, nowNanos - takenBackNanos, nowNanos, by);
        }
    }

    private boolean isMostlyLate(Events events, long nowNanos) {
        boolean most = recent.timedOut() > recent.answered();
        if (!mostlyLate && recent.timedOutLast() > recent.answeredLast()) {
            mostlyLate = true;
            mostlyLateSinceNanos = nowNanos;
        } else if (!most && recent.answeredLast() > 0 && recent.answeredLast() >= recent.timedOutLast()) {
            mostlyLate = false;
        }
        return mostlyLate
                && most
                && recent.timedOut() + recent.answered() >= LEAST_COMMANDS
                && nowNanos - mostlyLateSinceNanos >= LATE_NANOS
                && events.timeout != null
                && events.timeoutSentNanos - mostlyLateSinceNanos >= 0;
    }

    private boolean isOnTrial() {
        return trialNanos > 0;
    }

    private void eject(String reason, long failedNanos, long nowNanos, EjectionOptions by) {
        unansweredProbes = isOnTrial() ? unansweredProbes + 1 : 0;
        answeredProbes = 0;
        long away = isOnTrial() ? AWAY_FACTOR * failedNanos : 0;
        nextProbeNanos = nowNanos + Math.max(away, by.probeDelay().delayNanos(unansweredProbes, random));
        become(ServerState.EJECTED, reason);
    }

    private void tickEjected(Events events, long nowNanos, EjectionOptions by) {
        if (events.probed && events.probeFailure == null) {
            answeredProbes++;
            answeredNanos = nowNanos;
            nextProbeNanos = nowNanos + by.probeDelay().delayNanos(0, random);
            actions.reconnect();
            if (status.state() == ServerState.EJECTED) {
                become(ServerState.PROBING, "it answered a probe; reason for its ejection: " + status.reason());
            }
        } else if (events.probed) {
            answeredProbes = 0;
            unansweredProbes++;
            nextProbeNanos = nowNanos + by.probeDelay().delayNanos(unansweredProbes, random);
            if (status.state() == ServerState.PROBING) {
                become(ServerState.EJECTED, "it failed to answer another probe: " + events.probeFailure);
            }
        }
        if (answeredProbes >= TAKE_BACK_AFTER) {
            if (actions.isReconnected() || nowNanos - answeredNanos >= RECONNECT_NANOS) {
                takeBack(nowNanos, by);
            }
        } else if (!probing && nowNanos - nextProbeNanos >= 0) {
            probing = true;
            actions.probe();
        }
    }

    private void takeBack(long nowNanos, EjectionOptions by) {
        begin(nowNanos);
        takenBackNanos = nowNanos;
        trialNanos = by.probeDelay().limit().toNanos();
        become(ServerState.UP, "it answered " + answeredProbes + (answeredProbes == 1 ? " probe" : " probes"));
    }

    private void become(ServerState state, String reason) {
        ServerStatus before = status;
        ServerStatus now = new ServerStatus(before.server(), state, reason, clock.instant());
        // Written first, so that a thread that sees the new status also sees this value.
        ejected = state == ServerState.EJECTED || state == ServerState.PROBING;
        status = now;
        actions.changed(before, now);
    }
}
