// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Outcome of a command in each zone, at the moment when the command completed. Each zone has a copy of the data.
 * Threading: immutable.
 *
 * @param operation the operation of the API, such as {@code get}
 * @param keys number of keys in the command
 * @param served number of values found or writes done in each queried zone, by the zone's name; 0 for a miss
 * @param failures first failure in each zone where a key has failed, by the zone's name
 * @param pending names of the zones that had not answered, because the command did not wait for their answers
 */
public record ZoneOutcome(
        String operation,
        int keys,
        Map<String, Integer> served,
        Map<String, MemcachedException> failures,
        Set<String> pending) {

    /** Copies the set and the maps, and keeps the order of the maps. */
    public ZoneOutcome {
        served = Collections.unmodifiableMap(new LinkedHashMap<>(served));
        failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        pending = Set.copyOf(pending);
    }
}
