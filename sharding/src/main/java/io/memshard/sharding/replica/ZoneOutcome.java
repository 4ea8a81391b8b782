// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import io.memshard.client.exception.MemcachedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which zones took part in a command, at the moment when its result was there.
 *
 * <p>Threading: immutable.
 *
 * @param operation the operation of the API, such as {@code get}
 * @param keys how many keys the command names
 * @param served how many of the keys each zone has served, by its name: values found, or writes done. A zone that was
 *     asked and had no value has 0
 * @param failures the zones that have failed for at least one key, each with the first failure
 * @param pending the zones that have not answered yet, whose answers are not waited for
 */
public record ZoneOutcome(
        String operation,
        int keys,
        Map<String, Integer> served,
        Map<String, MemcachedException> failures,
        Set<String> pending) {

    /** Copies the maps, in their order. */
    public ZoneOutcome {
        served = Collections.unmodifiableMap(new LinkedHashMap<>(served));
        failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        pending = Set.copyOf(pending);
    }
}
