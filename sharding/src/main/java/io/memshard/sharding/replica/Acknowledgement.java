// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

/**
 * Number of zones in which a write must succeed. In any case, the client waits until its own zone has answered or
 * failed. If {@link ReplicaOptions#owner()} is set, the client also waits for the owner zone.
 */
public enum Acknowledgement {
    /** All zones. If a zone is unavailable, every write fails. */
    ALL,
    /**
     * The client's own zone or, if that zone fails, any other zone. The client does not wait for the other zones, and
     * reports their failures to the listener.
     */
    ONE,
    /** More than half of the zones. */
    MAJORITY;

    /** Returns the number of zones, out of {@code zones}, in which a write must succeed. */
    public int required(int zones) {
        return switch (this) {
            case ALL -> zones;
            case ONE -> 1;
            case MAJORITY -> zones / 2 + 1;
        };
    }
}
