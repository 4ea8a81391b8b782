// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.protocol.wire.KeyRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Distinct keys of an operation, with their outcomes. The outcome of an illegal key is a failure. */
public final class MultiKeys {

    private final KeyRule rule;
    private final List<String> stored;

    /** Outcomes by the key that the caller passed; null for an unknown outcome, and for a miss. */
    final Map<String, @Nullable Object> outcomes;

    /** Keys that the caller passed, by their stored form; empty if both forms are the same. */
    private final Map<String, String> written;

    public MultiKeys(KeyRule rule, Collection<String> keys) {
        this.rule = rule;
        stored = new ArrayList<>(Objects.requireNonNull(keys, "keys is null").size());
        outcomes = new LinkedHashMap<>(keys.size() * 2);
        written = rule.isNone() ? Map.of() : new HashMap<>(keys.size() * 2);
        keys.forEach(this::add);
    }

    private void add(String key) {
        try {
            String form = rule.stored(key);
            KeyRule.checkLength(form);
            int before = outcomes.size();
            outcomes.put(key, null);
            if (outcomes.size() > before) {
                stored.add(form);
            }
            if (!rule.isNone()) {
                written.put(form, key);
            }
        } catch (IllegalArgumentException e) {
            outcomes.put(key, new MemcachedIllegalKeyException(String.valueOf(e.getMessage()), null, null));
        }
    }

    public List<String> stored() {
        return stored;
    }

    /** Turns the outcomes into hits. {@code hit} returns the value, returns null for a miss, or throws the failure. */
    @SuppressWarnings("unchecked") // Each value left in the map is a result.
    <R> MultiGetResult<R> result(BiFunction<String, @Nullable Object, @Nullable R> hit) {
        Set<String> misses = new LinkedHashSet<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        outcomes.entrySet().removeIf(entry -> {
            try {
                R value = hit.apply(entry.getKey(), entry.getValue());
                if (value != null) {
                    entry.setValue(value);
                    return false;
                }
                misses.add(entry.getKey());
            } catch (MemcachedException e) {
                failures.put(entry.getKey(), e);
            }
            return true;
        });
        return new MultiGetResult<>((Map<String, R>) (Map<String, ?>) outcomes, misses, failures);
    }

    public Map<String, MemcachedException> failures() {
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        outcomes.forEach((key, outcome) -> {
            if (outcome instanceof MemcachedException failure) {
                failures.put(key, failure);
            }
        });
        return Collections.unmodifiableMap(failures);
    }

    public String written(String form) {
        return rule.isNone() ? form : written.getOrDefault(form, form);
    }
}
