package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.FailurePolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What failure policies make of the results of one operation on many keys; each key stays in exactly one part.
 *
 * @param isRead whether the operation only reads
 * @param failures the failed keys of a result
 * @param joining a result with what became of some of its failed keys the second time
 */
record MultiResults<R>(
        boolean isRead, Function<R, Map<String, MemcachedException>> failures, BinaryOperator<R> joining) {

    static final MultiResults<MultiSetResult> OF_SETS =
            new MultiResults<>(false, MultiSetResult::failures, MultiResults::joined);

    static final MultiResults<MultiDeleteResult> OF_DELETES =
            new MultiResults<>(false, MultiDeleteResult::failures, MultiResults::joined);

    static <V> MultiResults<MultiGetResult<V>> ofGets() {
        return new MultiResults<>(true, MultiGetResult::failures, MultiResults::joined);
    }

    /** The failed keys that {@code policy} tries again, in order. */
    List<String> retried(R result, FailurePolicy policy) {
        return failedKeys(failures.apply(result), failure -> policy.isRetried(failure, isRead));
    }

    R joined(R first, R second) {
        return joining.apply(first, second);
    }

    private static List<String> failedKeys(
            Map<String, MemcachedException> failures, Predicate<MemcachedException> chosen) {
        List<String> keys = new ArrayList<>();
        failures.forEach((key, failure) -> {
            if (chosen.test(failure)) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** The result with those failed keys as misses that {@code policy} treats so. */
    static <V> MultiGetResult<V> withMisses(MultiGetResult<V> result, FailurePolicy policy) {
        List<String> failed = failedKeys(result.failures(), policy::isMiss);
        return failed.isEmpty()
                ? result
                : joined(result, new MultiGetResult<>(Map.of(), new LinkedHashSet<>(failed), Map.of()));
    }

    private static <V> MultiGetResult<V> joined(MultiGetResult<V> first, MultiGetResult<V> second) {
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

    private static MultiSetResult joined(MultiSetResult first, MultiSetResult second) {
        return new MultiSetResult(
                union(first.stored(), second.stored()),
                stillFailed(first.failures(), second.failures(), List.of(second.stored())));
    }

    private static MultiDeleteResult joined(MultiDeleteResult first, MultiDeleteResult second) {
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

    /** The values of these keys, which are all or some. */
    static <V> Map<String, ? extends V> valuesOf(Map<String, ? extends V> values, Collection<String> keys) {
        if (keys.size() == values.size()) {
            return values;
        }
        Map<String, V> chosen = new LinkedHashMap<>();
        keys.forEach(key -> chosen.put(key, values.get(key)));
        return chosen;
    }
}
