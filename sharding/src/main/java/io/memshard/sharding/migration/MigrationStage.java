// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

/** How far a move from an old fleet to a new one has come. Clients go through the stages in this order. */
public enum MigrationStage {
    /**
     * The old fleet serves; what is written is first deleted in the new one. Clients can go from this stage to {@link
     * #MOVING} one after the other, because each write leaves its value in one fleet only.
     */
    PREPARING,
    /**
     * The new fleet serves, and takes over what only the old one has. What is written is first deleted in the old one.
     */
    MOVING,
    /** The new fleet serves alone; the old one gets no command. */
    ENDED
}
