package io.memshard.client.link;

import io.memshard.client.options.ConnectionOptions;
import java.util.concurrent.TimeUnit;

/**
 * Tells from what a link has done between two ticks what it needs: a look, a heartbeat, or its end.
 *
 * <p>A link is silent when commands are in flight and none has been completed for the liveness timeout.
 * Deadlines of single requests have no say in this.
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

    private final long livenessNanos;
    private final long heartbeatNanos;

    private long completedBefore;
    private boolean idleBefore = true;
    private long unchangedSinceNanos;
    private long lookedNanos;

    LinkHealth(ConnectionOptions options, long nowNanos) {
        livenessNanos = options.livenessTimeout().toNanos();
        heartbeatNanos = options.heartbeatInterval().toNanos();
        unchangedSinceNanos = nowNanos;
        lookedNanos = nowNanos;
    }

    /**
     * What the link needs now.
     *
     * @param completed how many commands it has completed in its life
     */
    Need check(long nowNanos, int inFlight, long completed) {
        boolean idle = inFlight == 0;
        if (completed != completedBefore || idle != idleBefore) {
            completedBefore = completed;
            idleBefore = idle;
            unchangedSinceNanos = nowNanos;
            lookedNanos = nowNanos;
            return Need.NOTHING;
        }
        long unchanged = nowNanos - unchangedSinceNanos;
        if (!idle) {
            return unchanged >= livenessNanos ? Need.CLOSE : Need.NOTHING;
        }
        if (unchanged >= heartbeatNanos) {
            return Need.HEARTBEAT;
        }
        if (nowNanos - lookedNanos < LOOK_NANOS) {
            return Need.NOTHING;
        }
        lookedNanos = nowNanos;
        return Need.LOOK;
    }
}
