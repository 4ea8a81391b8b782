// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.options.ConnectionOptions;
import java.util.concurrent.TimeUnit;

/**
 * Tells from what a link has done between two ticks what it needs: a look, a heartbeat, or its end.
 *
 * <p>A link has to finish what was in flight at one moment within the liveness timeout of that moment, and then what is
 * in flight at the next. So a command whose reply does not come ends the link within twice that time, also where a slow
 * server replies to others. A link that is busy with large replies has until they are read: it goes on while commands
 * are finished and {@link #BUSY_BYTES_A_SECOND} come. Deadlines of single requests have no say in this.
 *
 * <p>Threading: confined to the thread that ticks the link.
 */
final class LinkHealth {

    /** What a link needs. */
    enum Need {
        NOTHING,
        /** The link has been idle for a while: nobody reads, and so nobody would see its end. */
        LOOK,
        HEARTBEAT,
        CLOSE
    }

    /** How often an idle link is looked at. Less often than ticks come: it costs a system call. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A server that sends as much as this works. Replies without large values come to less. */
    private static final long BUSY_BYTES_A_SECOND = 256 * 1024;

    private final long livenessNanos;
    private final long heartbeatNanos;

    private boolean idleBefore = true;
    private long finishedBefore;

    /** Since when the link is idle and nothing was finished on it. */
    private long idleSinceNanos;

    private long lookedNanos;

    /** How many commands are finished once those are that were in flight at {@link #awaitedSinceNanos}. */
    private long awaited;

    private long awaitedSinceNanos;

    /** How many commands were finished by then, and how many bytes had been read. */
    private long finishedByThen;

    private long readBytesByThen;

    LinkHealth(ConnectionOptions options, long nowNanos) {
        livenessNanos = options.livenessTimeout().toNanos();
        heartbeatNanos = options.heartbeatInterval().toNanos();
        idleSinceNanos = nowNanos;
        lookedNanos = nowNanos;
    }

    /**
     * What the link needs now.
     *
     * @param finished how many commands it has completed in its life, or passed over because they had ended
     * @param readBytes how many bytes it has read in its life
     */
    Need check(long nowNanos, int inFlight, long finished, long readBytes) {
        boolean wasIdle = idleBefore;
        boolean isIdle = inFlight == 0;
        boolean unchanged = wasIdle == isIdle && finished == finishedBefore;
        idleBefore = isIdle;
        finishedBefore = finished;
        if (isIdle) {
            return unchanged ? checkIdle(nowNanos) : beginIdle(nowNanos);
        }
        long waited = nowNanos - awaitedSinceNanos;
        boolean due = waited >= livenessNanos;
        boolean isBusy = finished > finishedByThen && isBusy(readBytes - readBytesByThen, waited);
        if (wasIdle || finished >= awaited || (due && isBusy)) {
            awaited = finished + inFlight;
            awaitedSinceNanos = nowNanos;
            finishedByThen = finished;
            readBytesByThen = readBytes;
            return Need.NOTHING;
        }
        return due ? Need.CLOSE : Need.NOTHING;
    }

    private static boolean isBusy(long bytes, long nanos) {
        return (double) bytes / BUSY_BYTES_A_SECOND >= (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }

    private Need beginIdle(long nowNanos) {
        idleSinceNanos = nowNanos;
        lookedNanos = nowNanos;
        return Need.NOTHING;
    }

    private Need checkIdle(long nowNanos) {
        if (nowNanos - idleSinceNanos >= heartbeatNanos) {
            return Need.HEARTBEAT;
        }
        if (nowNanos - lookedNanos < LOOK_NANOS) {
            return Need.NOTHING;
        }
        lookedNanos = nowNanos;
        return Need.LOOK;
    }
}
