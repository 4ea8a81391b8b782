// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

/** In how many zones a write must be done before it counts as done. */
public enum Acknowledgement {
    /** In all of them. A zone that is away fails each write. */
    ALL,
    /** In any of them. The others follow; what fails there is told to the listener only. */
    ONE,
    /** In more than half of them. */
    MAJORITY;

    /** How many of {@code zones} that are. */
    public int required(int zones) {
        return switch (this) {
            case ALL -> zones;
            case ONE -> 1;
            case MAJORITY -> zones / 2 + 1;
        };
    }
}
