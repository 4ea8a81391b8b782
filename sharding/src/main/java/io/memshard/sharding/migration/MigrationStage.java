// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

/**
 * Stage of a move from an old fleet to a new one. Clients go through the stages in this order, or backwards. At any
 * time all clients must be at the same stage, or at one of two adjacent stages. Then no client reads a value that
 * another client has replaced or deleted. A client that knows only the old fleet is at the stage before {@link
 * #PREPARING}.
 *
 * <p>The step back from {@link #ENDED} to {@link #LEAVING} is safe. The step from {@code LEAVING} back to {@link
 * #MOVING} is not safe once a client has been at {@code ENDED}. The old fleet has then missed writes and must be
 * emptied first.
 */
public enum MigrationStage {
    /** Reads use the old fleet. Each write goes to the old fleet, and then deletes the item in the new one. */
    PREPARING,
    /**
     * Reads use the new fleet, and then the old fleet for items that the new fleet does not have. These items are
     * copied to the new fleet. Each write first deletes the item in the old fleet, and then goes to the new one.
     */
    MOVING,
    /**
     * Reads use the new fleet only, and no item is copied. Each write first deletes the item in the old fleet, and then
     * goes to the new one.
     */
    LEAVING,
    /** Reads and writes use the new fleet only; the old fleet gets no commands. */
    ENDED
}
