package io.memshard.client.multi;

import io.memshard.client.exception.MemcachedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What became of each key of a multi-get. Every distinct key asked for is in exactly one of the three.
 *
 * <p>Threading: immutable.
 *
 * @param hits the values found
 * @param misses the keys the server has no item for
 * @param failures the keys that got no answer, or a value that cannot be decoded, with the cause
 */
public record MultiGetResult<V>(Map<String, V> hits, Set<String> misses, Map<String, MemcachedException> failures) {

    /** The hits, or the first failure thrown when there is any. */
    public Map<String, V> hitsOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return hits;
    }

    /**
     * The same with each hit turned into another value. A hit that becomes null is a miss; one over which
     * {@code mapping} throws a {@link MemcachedException} is a failure of its key, and of no other.
     *
     * @param mapping from key and value, called once for each hit, by this thread
     */
    public <W> MultiGetResult<W> map(BiFunction<? super String, ? super V, ? extends @Nullable W> mapping) {
        Map<String, W> mapped = new LinkedHashMap<>();
        Set<String> allMisses = new LinkedHashSet<>(misses);
        Map<String, MemcachedException> allFailures = new LinkedHashMap<>(failures);
        hits.forEach((key, value) -> {
            try {
                W other = mapping.apply(key, value);
                if (other == null) {
                    allMisses.add(key);
                } else {
                    mapped.put(key, other);
                }
            } catch (MemcachedException e) {
                allFailures.put(key, e);
            }
        });
        return new MultiGetResult<>(
                Collections.unmodifiableMap(mapped),
                Collections.unmodifiableSet(allMisses),
                Collections.unmodifiableMap(allFailures));
    }
}
