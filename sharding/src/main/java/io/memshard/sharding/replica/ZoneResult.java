// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import io.memshard.client.listener.ZoneOutcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Result of calls, with the zones that took part in the calls.
 *
 * <p>Threading: immutable.
 *
 * @param value the result of the calls
 * @param outcomes the outcomes of all commands of the calls, in the order of their completion
 */
public record ZoneResult<R extends @Nullable Object>(R value, List<ZoneOutcome> outcomes) {

    /** Copies the outcomes. */
    public ZoneResult {
        outcomes = List.copyOf(outcomes);
    }

    /** Returns the zones that have found a value or completed a write. */
    public Set<String> servedBy() {
        Set<String> zones = new LinkedHashSet<>();
        for (ZoneOutcome outcome : outcomes) {
            outcome.served().forEach((zone, keys) -> {
                if (keys > 0) {
                    zones.add(zone);
                }
            });
        }
        return zones;
    }

    /** Returns the zones that have failed, whether or not another zone has succeeded instead. */
    public Set<String> failedIn() {
        Set<String> zones = new LinkedHashSet<>();
        outcomes.forEach(outcome -> zones.addAll(outcome.failures().keySet()));
        return zones;
    }
}
