// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.protocol.wire.Key;
import io.memshard.client.protocol.wire.KeyRule;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Distinct keys of an operation on many items, as they are stored and as the caller wrote them. Illegal keys are
 * separate, because they are not sent.
 *
 * <p>Threading: confined to one thread at a time.
 */
public final class MultiKeys {

    private final KeyRule rule;

    /** Outcome of each legal key, by the key as the caller wrote it; null until the operation has one. */
    private final Map<String, @Nullable Object> outcomes;

    /** Keys as the caller wrote them, by the keys that are stored; empty if both are the same. */
    private final Map<String, String> written = new LinkedHashMap<>();

    private final Map<String, MemcachedException> illegal = new LinkedHashMap<>();

    /** None yet. */
    MultiKeys(KeyRule rule) {
        this(rule, List.of());
    }

    /** These keys, each once. All are checked here. */
    public MultiKeys(KeyRule rule, Collection<String> keys) {
        this.rule = rule;
        outcomes =
                new LinkedHashMap<>(Objects.requireNonNull(keys, "keys is null").size() * 2);
        keys.forEach(this::add);
    }

    /** Adds a key, which is checked. Returns it as it is stored; null if it is {@link #illegal}. */
    @Nullable
    String add(String key) {
        try {
            String stored = rule.stored(key);
            Key.checkLength(stored);
            outcomes.put(key, null);
            if (!rule.isNone()) {
                written.put(stored, key);
            }
            return stored;
        } catch (IllegalArgumentException e) {
            illegal.put(key, new MemcachedIllegalKeyException(String.valueOf(e.getMessage()), null, null));
            return null;
        }
    }

    /** Returns the legal keys as they are stored, in the order in which they were added. */
    public List<String> stored() {
        return List.copyOf(rule.isNone() ? outcomes.keySet() : written.keySet());
    }

    /**
     * Returns the outcome of each legal key as its caller wrote it, in the same order: null until the operation has
     * put one. It is not a copy. Neither {@link #stored} nor {@link #size} is called once the operation has added or
     * removed keys.
     */
    Map<String, @Nullable Object> outcomes() {
        return outcomes;
    }

    /** Returns the illegal keys as their caller wrote them, with the reason for each. */
    public Map<String, MemcachedException> illegal() {
        return Collections.unmodifiableMap(illegal);
    }

    /** Returns the number of keys, legal or not. */
    int size() {
        return outcomes.size() + illegal.size();
    }

    /** Returns the key as the caller wrote it, given its stored form. */
    public String written(String stored) {
        return rule.isNone() ? stored : written.getOrDefault(stored, stored);
    }
}
