// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

/**
 * In how many zones a write must be done before it counts as done. One's own is among those that are waited for, unless
 * it fails.
 */
public enum Acknowledgement {
    /** In all of them. A zone that is away fails each write. */
    ALL,
    /** In one's own, or in any other if that fails. The others follow, and their failures are told to the listener. */
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
