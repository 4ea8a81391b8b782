// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

/**
 * How far a move from an old fleet to a new one has come. Clients go through the stages in this order, or back. At each
 * moment all of them are at one stage, or at one of two neighbours: then none reads a value that another has replaced
 * or deleted. A client that knows the old fleet alone is a neighbour of {@link #PREPARING}.
 *
 * <p>From {@link #ENDED} there is a way back to {@link #LEAVING}. From there back to {@link #MOVING} there is none once
 * a client has been at {@code ENDED}, unless the old fleet is emptied first: it has missed what was written meanwhile.
 */
public enum MigrationStage {
    /** The old fleet serves. What is written there is then deleted in the new one. */
    PREPARING,
    /**
     * The new fleet serves, and takes over what only the old one has. What is written is first deleted in the old one.
     */
    MOVING,
    /** The new fleet serves alone, and nothing is taken over. What is written is first deleted in the old one. */
    LEAVING,
    /** The new fleet serves alone; the old one gets no command. */
    ENDED
}
