package io.memshard.client.connection;

import io.memshard.client.options.ConnectionOptions;

/**
 * Tells from what a link has done between two ticks whether it needs a heartbeat or is dead.
 *
 * <p>A link is silent when commands are in flight and none has been completed for the liveness timeout.
 * Deadlines of single requests have no say in this.
 *
 * <p>Threading: confined to whoever ticks the link.
 */
final class LinkHealth {

    /** What a link needs. */
    enum Need {
        NOTHING,
        HEARTBEAT,
        BURIAL
    }

    private final long livenessNanos;
    private final long heartbeatNanos;

    private long completedBefore;
    private boolean idleBefore = true;
    private long unchangedSinceNanos;

    LinkHealth(ConnectionOptions options, long nowNanos) {
        livenessNanos = options.livenessTimeout().toNanos();
        heartbeatNanos = options.heartbeatInterval().toNanos();
        unchangedSinceNanos = nowNanos;
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
            return Need.NOTHING;
        }
        long unchanged = nowNanos - unchangedSinceNanos;
        if (idle) {
            return unchanged >= heartbeatNanos ? Need.HEARTBEAT : Need.NOTHING;
        }
        return unchanged >= livenessNanos ? Need.BURIAL : Need.NOTHING;
    }
}
