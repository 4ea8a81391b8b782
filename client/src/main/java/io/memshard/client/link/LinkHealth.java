// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;

/**
 * Health check of a link, from its activity between two ticks. Threading: confined to the timer.
 *
 * <p>The check notes the commands in flight. If one of them has not ended after the liveness timeout, the link is
 * closed. When all have ended, the check notes the commands that are in flight then. A link gets more time if commands
 * end and at least 256 KiB arrive per second.
 *
 * <p>If more than a second passes without a check, this process was suspended, and replies may have arrived unread. The
 * commands in flight then get another liveness timeout.
 */
final class LinkHealth {

    enum Need {
        NOTHING,
        LOOK,
        HEARTBEAT,
        CLOSE
    }

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BUSY_BYTES_A_SECOND = 256 * 1024;
    private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long livenessNanos;
    private final long heartbeatNanos;

    private long checkedNanos;
    private boolean idleBefore = true;
    private long finishedBefore;
    private long idleSinceNanos;
    private long lookedNanos;
    private long awaited;
    private long awaitedSinceNanos;
    private long finishedByThen;
    private long readBytesByThen;

    LinkHealth(ConnectionOptions options, long nowNanos) {
        livenessNanos = options.livenessTimeout.toNanos();
        heartbeatNanos = options.heartbeatInterval.toNanos();
        idleSinceNanos = nowNanos;
        lookedNanos = nowNanos;
        checkedNanos = nowNanos;
    }

    Need check(long nowNanos, int inFlight, long finished, long readBytes) {
        boolean wasSuspended = nowNanos - checkedNanos > STILL_NANOS;
        checkedNanos = nowNanos;
        boolean wasIdle = idleBefore;
        boolean isIdle = inFlight == 0;
        boolean unchanged = wasIdle == isIdle && finished == finishedBefore;
        idleBefore = isIdle;
        finishedBefore = finished;
        if (isIdle) {
            if (unchanged) {
                return checkIdle(nowNanos);
            }
            idleSinceNanos = nowNanos;
            lookedNanos = nowNanos;
            return Need.NOTHING;
        }
        long waited = nowNanos - awaitedSinceNanos;
        boolean due = waited >= livenessNanos;
        boolean isBusy = finished > finishedByThen && isBusy(readBytes - readBytesByThen, waited);
        if (wasIdle || finished >= awaited || (due && (isBusy || wasSuspended))) {
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
