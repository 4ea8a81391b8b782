// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ZoneEnd;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Reports the outcome of each command in each zone to a {@link ConnectionListener}.
 *
 * <p>Threading: thread-safe, like the listener.
 */
record ConnectionZoneListener(ConnectionListener listener) implements ZoneListener {

    @Override
    public void commandEnded(ZoneOutcome outcome) {
        Set<String> zones = new LinkedHashSet<>(outcome.served().keySet());
        zones.addAll(outcome.failures().keySet());
        for (String zone : zones) {
            int served = outcome.served().getOrDefault(zone, 0);
            MemcachedException failure = outcome.failures().get(zone);
            listener.zoneEnded(new ZoneEnd(outcome.operation(), zone, outcome.keys(), served, failure, true));
        }
        for (String zone : outcome.pending()) {
            listener.zoneEnded(new ZoneEnd(outcome.operation(), zone, outcome.keys(), 0, null, false));
        }
    }

    @Override
    public void zoneFailedLater(String zone, String operation, MemcachedException failure) {
        listener.zoneEnded(new ZoneEnd(operation, zone, 0, 0, failure, false));
    }
}
