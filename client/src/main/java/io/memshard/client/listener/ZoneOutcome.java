// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Zones that took part in a command, at the moment of its result. Each zone has a copy of the data. Threading:
 * immutable.
 *
 * @param operation the operation of the API, such as {@code get}
 * @param keys number of keys the command names
 * @param served number of keys each zone has served, by the zone's name: values found, or writes done. A queried zone
 *     without a value has 0
 * @param failures the zones that have failed for at least one key, each with its first failure
 * @param pending the zones that have not answered yet and are not waited for
 */
public record ZoneOutcome(
        String operation,
        int keys,
        Map<String, Integer> served,
        Map<String, MemcachedException> failures,
        Set<String> pending) {

    /** Copies the maps, in their order, and the set. */
    public ZoneOutcome {
        served = Collections.unmodifiableMap(new LinkedHashMap<>(served));
        failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        pending = Set.copyOf(pending);
    }
}
