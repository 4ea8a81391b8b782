// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.replica;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of calls, and which zones took part in them.
 *
 * <p>Threading: immutable.
 *
 * @param value what the calls returned
 * @param outcomes of each of their commands, in the order in which they ended
 */
public record ZoneResult<R extends @Nullable Object>(R value, List<ZoneOutcome> outcomes) {

    /** Copies the outcomes. */
    public ZoneResult {
        outcomes = List.copyOf(outcomes);
    }

    /** The zones that have found a value, or done a write. */
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

    /** The zones that have failed, whether or not another one has served in their place. */
    public Set<String> failedIn() {
        Set<String> zones = new LinkedHashSet<>();
        outcomes.forEach(outcome -> zones.addAll(outcome.failures().keySet()));
        return zones;
    }
}
