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

/** What failure policies make of the results of operations on many keys; each key stays in exactly one part. */
final class MultiResults {

    private MultiResults() {}

    /** The keys whose failure is {@code chosen}, in order. */
    static List<String> failedKeys(Map<String, MemcachedException> failures, Predicate<MemcachedException> chosen) {
        List<String> keys = new ArrayList<>();
        failures.forEach((key, failure) -> {
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
        hits.putAll(second.hits());
        return new MultiGetResult<>(
                Collections.unmodifiableMap(hits),
                union(first.misses(), second.misses()),
                stillFailed(
                        first.failures(),
                        second.failures(),
                        List.of(second.hits().keySet(), second.misses())));
    }

    /** As for a multi-get. */
    static MultiSetResult joined(MultiSetResult first, MultiSetResult second) {
        return new MultiSetResult(
                union(first.stored(), second.stored()),
                stillFailed(first.failures(), second.failures(), List.of(second.stored())));
    }

    /** As for a multi-get. */
    static MultiDeleteResult joined(MultiDeleteResult first, MultiDeleteResult second) {
        return new MultiDeleteResult(
                union(first.deleted(), second.deleted()),
                union(first.misses(), second.misses()),
                stillFailed(first.failures(), second.failures(), List.of(second.deleted(), second.misses())));
    }

    private static Set<String> union(Set<String> first, Set<String> second) {
        Set<String> all = new LinkedHashSet<>(first);
        all.addAll(second);
        return Collections.unmodifiableSet(all);
    }

    private static Map<String, MemcachedException> stillFailed(
            Map<String, MemcachedException> first,
            Map<String, MemcachedException> second,
            List<Set<String>> answeredTheSecondTime) {
        Map<String, MemcachedException> failures = new LinkedHashMap<>(first);
        answeredTheSecondTime.forEach(failures.keySet()::removeAll);
        failures.putAll(second);
        return Collections.unmodifiableMap(failures);
    }

    /** The values of these keys. */
    static <V> Map<String, V> valuesOf(Map<String, ? extends V> values, List<String> keys) {
        Map<String, V> chosen = new LinkedHashMap<>();
        keys.forEach(key -> chosen.put(key, values.get(key)));
        return chosen;
    }
}
