// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.wire.ErrorReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Result of a {@link MetaMultiGet}, for one thread at a time. A key without value, error or failure is a miss. */
public final class FoundItems<V> {

    private final List<String> hitKeys;
    private final List<V> hitValues;
    private @Nullable Map<String, V> hits;

    private final Map<String, ErrorReply> errors;
    private final Map<String, MemcachedException> failures;
    private final List<String> unsure;

    public FoundItems(Map<String, V> hits, Map<String, MemcachedException> failures) {
        this(List.copyOf(hits.keySet()), List.copyOf(hits.values()), Map.of(), failures, List.of());
        this.hits = hits;
    }

    FoundItems(
            List<String> hitKeys,
            List<V> hitValues,
            Map<String, ErrorReply> errors,
            Map<String, MemcachedException> failures,
            List<String> unsure) {
        this.hitKeys = hitKeys;
        this.hitValues = hitValues;
        this.errors = errors;
        this.failures = failures;
        this.unsure = unsure;
    }

    public Map<String, V> hits() {
        Map<String, V> byKey = hits;
        if (byKey == null) {
            byKey = new LinkedHashMap<>(hitKeys.size() * 2);
            forEachHit(byKey::put);
            hits = byKey;
        }
        return byKey;
    }

    public void forEachHit(BiConsumer<String, V> action) {
        for (int i = 0; i < hitValues.size(); i++) {
            action.accept(hitKeys.get(i), hitValues.get(i));
        }
    }

    public Map<String, ErrorReply> errors() {
        return errors;
    }

    /** Returns failures of keys without a reply, if a sender has split the command among servers. */
    public Map<String, MemcachedException> failures() {
        return failures;
    }

    /** Returns keys whose values may still be loading; {@link MetaMultiGet#only} reads them again. */
    public List<String> unsure() {
        return unsure;
    }
}
