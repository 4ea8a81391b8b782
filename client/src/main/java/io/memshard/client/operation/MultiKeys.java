// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
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
    private final Map<String, String> written;

    private Map<String, MemcachedException> illegal = Map.of();

    MultiKeys(KeyRule rule) {
        this(rule, List.of());
    }

    public MultiKeys(KeyRule rule, Collection<String> keys) {
        this.rule = rule;
        outcomes =
                new LinkedHashMap<>(Objects.requireNonNull(keys, "keys is null").size() * 2);
        written = rule.isNone() ? Map.of() : new LinkedHashMap<>(keys.size() * 2);
        keys.forEach(this::add);
    }

    /** Checks a key and adds it. Returns the key as it is stored; null if it is {@link #illegal}. */
    @Nullable
    String add(String key) {
        try {
            String stored = rule.stored(key);
            KeyRule.checkLength(stored);
            outcomes.put(key, null);
            if (!rule.isNone()) {
                written.put(stored, key);
            }
            return stored;
        } catch (IllegalArgumentException e) {
            if (illegal.isEmpty()) {
                illegal = new LinkedHashMap<>();
            }
            illegal.put(key, new MemcachedIllegalKeyException(String.valueOf(e.getMessage()), null, null));
            return null;
        }
    }

    /** Returns the legal keys as they are stored, in the order in which they were added. */
    public List<String> stored() {
        return List.copyOf(rule.isNone() ? outcomes.keySet() : written.keySet());
    }

    /**
     * Returns the outcome of each legal key, by the key as the caller wrote it; null until the operation sets the
     * outcome. The map is not a copy. Once entries were added or removed, {@link #stored} and {@link #size} must not be
     * called.
     */
    Map<String, @Nullable Object> outcomes() {
        return outcomes;
    }

    public Map<String, MemcachedException> illegal() {
        return Collections.unmodifiableMap(illegal);
    }

    int size() {
        return outcomes.size() + illegal.size();
    }

    public String written(String stored) {
        return rule.isNone() ? stored : written.getOrDefault(stored, stored);
    }
}
