// SPDX-License-Identifier: Apache-2.0
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
 * Outcome of a multi-get for each key. Every distinct key is in exactly one of the three collections.
 *
 * <p>Threading: immutable.
 *
 * @param hits the values found, by key
 * @param misses the keys for which the server has no item
 * @param failures the failure of each key that is illegal, whose read failed, or whose value cannot be decoded
 */
public record MultiGetResult<V>(Map<String, V> hits, Set<String> misses, Map<String, MemcachedException> failures) {

    /** Makes the collections unmodifiable, without copying the collections. */
    public MultiGetResult {
        hits = Collections.unmodifiableMap(hits);
        misses = Collections.unmodifiableSet(misses);
        failures = Collections.unmodifiableMap(failures);
    }

    /** Returns the hits; throws the first failure if any key failed. */
    public Map<String, V> hitsOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return hits;
    }

    /**
     * Returns a result with the values that {@code mapping} returns for the hits. If {@code mapping} returns null, the
     * hit becomes a miss. If {@code mapping} throws a {@link MemcachedException}, the hit becomes a failure.
     *
     * @param mapping function from key and value to the new value; called once for each hit, on the calling thread
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
        return new MultiGetResult<>(mapped, allMisses, allFailures);
    }

    /** Shows the numbers of hits, misses and failures, but neither keys nor values. */
    @Override
    public String toString() {
        return "MultiGetResult[hits=" + hits.size() + ", misses=" + misses.size() + ", failures=" + failures.size()
                + ']';
    }
}
