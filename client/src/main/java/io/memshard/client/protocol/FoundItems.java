// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.wire.ErrorReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of the keys of a {@link MetaMultiGet}. A key that is in none of its parts had no item.
 *
 * <p>Threading: confined to one thread at a time.
 */
public final class FoundItems<V> {

    private final List<String> hitKeys;
    private final List<V> hitValues;

    /** The hits once more, when somebody has asked for a key's. */
    private @Nullable Map<String, V> hits;

    private final List<String> tooLarge;
    private final Map<String, ErrorReply> errors;
    private final boolean areErrorsPlaced;
    private final Map<String, MemcachedException> failures;
    private final List<String> unsure;

    /** Creates an outcome without errors and unsure keys, from the parts that the methods return. */
    public FoundItems(Map<String, V> hits, List<String> tooLarge, Map<String, MemcachedException> failures) {
        this(List.copyOf(hits.keySet()), List.copyOf(hits.values()), tooLarge, Map.of(), true, failures, List.of());
        this.hits = hits;
    }

    FoundItems(
            List<String> hitKeys,
            List<V> hitValues,
            List<String> tooLarge,
            Map<String, ErrorReply> errors,
            boolean areErrorsPlaced,
            Map<String, MemcachedException> failures,
            List<String> unsure) {
        this.hitKeys = hitKeys;
        this.hitValues = hitValues;
        this.tooLarge = tooLarge;
        this.errors = errors;
        this.areErrorsPlaced = areErrorsPlaced;
        this.failures = failures;
        this.unsure = unsure;
    }

    /** Returns the values by key, in the order of the keys. */
    public Map<String, V> hits() {
        Map<String, V> byKey = hits;
        if (byKey == null) {
            byKey = new LinkedHashMap<>(hitKeys.size() * 2);
            forEachHit(byKey::put);
            hits = byKey;
        }
        return byKey;
    }

    /** Calls {@code action} with each key of {@link #hits} and its value, without making a map of them. */
    public void forEachHit(BiConsumer<String, V> action) {
        for (int i = 0; i < hitValues.size(); i++) {
            action.accept(hitKeys.get(i), hitValues.get(i));
        }
    }

    /** Returns the keys whose values were skipped because of their size. */
    public List<String> tooLarge() {
        return tooLarge;
    }

    /**
     * Returns the errors in place of replies, by key. If they are not {@linkplain #areErrorsPlaced placed}, an error is
     * that of each key that may be a miss.
     */
    public Map<String, ErrorReply> errors() {
        return errors;
    }

    /** Returns whether the server has said which key each error is for. */
    public boolean areErrorsPlaced() {
        return areErrorsPlaced;
    }

    /** Returns the failures of keys without an answer; empty unless a sender has split the command. */
    public Map<String, MemcachedException> failures() {
        return failures;
    }

    /**
     * Returns the keys with either an empty value or none, which only {@code mg} can tell apart. They are in no
     * other collection of this result. Only a command {@link MetaMultiGet#ofValues} has any.
     */
    public List<String> unsure() {
        return unsure;
    }

    @Override
    public String toString() {
        return "hits " + hits() + ", too large " + tooLarge + ", errors " + errors + ", failures " + failures
                + ", unsure " + unsure;
    }
}
