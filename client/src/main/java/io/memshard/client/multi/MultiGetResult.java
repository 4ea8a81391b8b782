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
 * What happened to each key of a multi-get. Every distinct key is in exactly one of the three.
 *
 * <p>Threading: immutable.
 *
 * @param hits the values found
 * @param misses the keys for which the server has no item
 * @param failures the keys that are illegal, or have no answer or a value that cannot be decoded, with the cause
 */
public record MultiGetResult<V>(Map<String, V> hits, Set<String> misses, Map<String, MemcachedException> failures) {

    /** The hits; throws the first failure if there is any. */
    public Map<String, V> hitsOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return hits;
    }

    /**
     * The same with each hit mapped to another value. A hit that becomes null is a miss. If {@code mapping} throws a
     * {@link MemcachedException}, that is a failure of only that key.
     *
     * @param mapping maps key and value; called once for each hit, on this thread
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

    /** How many keys of each kind; neither keys nor values. */
    @Override
    public String toString() {
        return "MultiGetResult[hits=" + hits.size() + ", misses=" + misses.size() + ", failures=" + failures.size()
                + ']';
    }
}
