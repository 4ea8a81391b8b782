// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import java.util.Objects;

/**
 * Is told which zones took part in each command.
 *
 * <p>Threading: called by many threads at once, also by those that do I/O for others; must not block.
 *
 * <p>Failure: an exception of a listener is logged and changes nothing else.
 */
public interface ZoneListener {

    /** Does nothing. */
    ZoneListener NONE = new ZoneListener() {};

    /**
     * What tells a listener of connections, by {@link ConnectionListener#zoneEnded}. A client with zones does so by
     * itself for the listener of its settings.
     */
    static ZoneListener telling(ConnectionListener listener) {
        return new ToldZones(Objects.requireNonNull(listener, "listener is null"));
    }

    /** A command has its result, or has failed. */
    default void commandEnded(ZoneOutcome outcome) {}

    /**
     * What no caller waited for has failed in a zone: a write above the required number, a touch, a delete after a
     * decision elsewhere, or a copy.
     */
    default void zoneFailedLater(String zone, String operation, MemcachedException failure) {}

    /** This listener, and then {@code other}. */
    default ZoneListener and(ZoneListener other) {
        ZoneListener first = this;
        return new ZoneListener() {
            @Override
            public void commandEnded(ZoneOutcome outcome) {
                try {
                    first.commandEnded(outcome);
                } finally {
                    other.commandEnded(outcome);
                }
            }

            @Override
            public void zoneFailedLater(String zone, String operation, MemcachedException failure) {
                try {
                    first.zoneFailedLater(zone, operation, failure);
                } finally {
                    other.zoneFailedLater(zone, operation, failure);
                }
            }
        };
    }
}
