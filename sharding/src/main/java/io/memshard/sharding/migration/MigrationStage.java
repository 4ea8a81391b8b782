// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

/**
 * Stage of a move from a source fleet to a target fleet. Clients go through the stages in this order, or in reverse. At
 * any time, all clients must be at the same stage or at two adjacent stages. Otherwise a client may read a value that
 * another client has replaced or deleted. A client that uses only the source fleet counts as one stage before
 * {@link #PREPARING}.
 *
 * <p>The step back from {@link #ENDED} to {@link #LEAVING} is safe. The step from {@code LEAVING} back to
 * {@link #MOVING} is not safe once a client has been at {@code ENDED}, because the source fleet has missed writes.
 * Flush the source fleet before this step.
 */
public enum MigrationStage {
    /**
     * Reads use the source fleet. Each write goes to the source fleet, and then deletes the item in the target fleet.
     */
    PREPARING,
    /**
     * Reads use the target fleet, and then the source fleet for items that the target fleet does not have. These items
     * are copied to the target fleet. Each write first deletes the item in the source fleet, and then goes to the
     * target fleet.
     */
    MOVING,
    /**
     * Reads use the target fleet only, and no item is copied. Each write first deletes the item in the source fleet,
     * and then goes to the target fleet.
     */
    LEAVING,
    /** Reads and writes use the target fleet only; the source fleet gets no commands. */
    ENDED
}
