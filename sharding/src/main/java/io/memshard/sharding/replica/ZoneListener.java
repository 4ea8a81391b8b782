// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import java.util.Objects;

/**
 * Receives the zones that took part in each command.
 *
 * <p>Threading: called by many threads at once, including threads that do I/O for other callers; must not block.
 *
 * <p>Failure: an exception of a listener is logged and changes nothing else.
 */
public interface ZoneListener {

    /** Does nothing. */
    ZoneListener NONE = new ZoneListener() {};

    /**
     * Returns a listener that calls {@link ConnectionListener#zoneEnded}. A client with zones already does this for the
     * listener in its settings.
     */
    static ZoneListener telling(ConnectionListener listener) {
        return new ConnectionZoneListener(Objects.requireNonNull(listener, "listener is null"));
    }

    /** Called when a command has succeeded or failed. */
    default void commandEnded(ZoneOutcome outcome) {}

    /**
     * Called when a command that no caller waited for has failed in a zone. This is a write beyond the required number,
     * a touch, a delete after a decision in another zone, or a copy.
     */
    default void zoneFailedLater(String zone, String operation, MemcachedException failure) {}

    /** Returns a listener that calls this one and then {@code other}. */
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
