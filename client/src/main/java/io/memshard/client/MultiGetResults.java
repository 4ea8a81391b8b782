package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What failure policies make of the result of a multi-get; each key stays in exactly one of its three parts. */
final class MultiGetResults {

    private MultiGetResults() {}

    /** The keys whose failure is {@code chosen}, in order. */
    static List<String> failedKeys(MultiGetResult<?> result, Predicate<MemcachedException> chosen) {
        List<String> keys = new ArrayList<>();
        result.failures().forEach((key, failure) -> {
            if (chosen.test(failure)) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** The result with these failed keys as misses. */
    static <V> MultiGetResult<V> withMisses(MultiGetResult<V> result, List<String> failed) {
        if (failed.isEmpty()) {
            return result;
        }
        return joined(result, new MultiGetResult<>(Map.of(), new LinkedHashSet<>(failed), Map.of()));
    }

    /** The result with what became of some of its failed keys the second time. */
    static <V> MultiGetResult<V> joined(MultiGetResult<V> first, MultiGetResult<V> second) {
        Map<String, V> hits = new LinkedHashMap<>(first.hits());
        Set<String> misses = new LinkedHashSet<>(first.misses());
        Map<String, MemcachedException> failures = new LinkedHashMap<>(first.failures());
        failures.keySet().removeAll(second.hits().keySet());
        failures.keySet().removeAll(second.misses());
        hits.putAll(second.hits());
        misses.addAll(second.misses());
        failures.putAll(second.failures());
        return new MultiGetResult<>(
                Collections.unmodifiableMap(hits),
                Collections.unmodifiableSet(misses),
                Collections.unmodifiableMap(failures));
    }
}
