// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Multi-get: the read of many items. Values are decoded when the result is taken, so a value that cannot be decoded
 * fails only its own key.
 *
 * <p>Threading: confined to one thread at a time.
 */
final class MultiGet<V, R> extends MultiCall<MultiGet.Part, FoundItems<MultiGet.Stored>, MultiGetResult<R>> {

    /**
     * Keys of a command. If only the values are read ({@code isPlain}), some keys may be {@linkplain FoundItems#unsure
     * unsure}.
     */
    record Part(List<String> keys, boolean isPlain) {}

    // These records have an array, but no code compares them.
    @SuppressWarnings("ArrayRecordComponent")
    record Stored(byte[] data, int flags, long casUnique) {}

    /** Function that creates a result from a decoded value. The cas unique is 0 if it was not requested. */
    @FunctionalInterface
    interface Maker<V, R> {

        R result(V value, long casUnique);
    }

    private static final MetaGet.Hit<Stored> AS_STORED = Stored::new;

    /**
     * Maximum length of a short key, in characters. {@link KeysCommand#MAX_KEYS} short keys fit into a request line
     * even with three bytes for each character.
     */
    private static final int SHORT = (MAX_LINE_BYTES / KeysCommand.MAX_KEYS - 1) / 3;

    private final ValueCoder<V> coder;
    private final MultiKeys keys;
    private final MetaGet.Wanted wanted;
    private final int exptime;
    private final Maker<V, R> maker;
    private final FailurePolicy policy;

    /**
     * Outcome of each legal key: a {@link Stored} or a {@link MemcachedException}; null until one is known. {@link
     * #result} turns this map into the map of the hits.
     */
    private final Map<String, @Nullable Object> outcomes;

    MultiGet(
            ValueCoder<V> coder,
            MultiKeys keys,
            MetaGet.Wanted wanted,
            int exptime,
            Maker<V, R> maker,
            FailurePolicy policy) {
        this.coder = coder;
        this.keys = keys;
        this.wanted = wanted;
        this.exptime = exptime;
        this.maker = maker;
        this.policy = policy;
        outcomes = keys.outcomes();
    }

    @Override
    String name() {
        return MetaMultiGet.operation(wanted, exptime);
    }

    @Override
    int keyCount() {
        return keys.size();
    }

    @Override
    List<Part> unsplit() {
        boolean isPlain = wanted == MetaGet.Wanted.VALUE && exptime == MetaGet.NO_TOUCH;
        return List.of(new Part(keys.stored(), isPlain));
    }

    @Override
    Map<CommandSender, List<Part>> split(Part part, CommandSender sender) {
        return split(
                sender,
                part.keys,
                key -> key,
                MultiGet::bytesInLine,
                MAX_LINE_BYTES,
                piece -> new Part(piece, part.isPlain));
    }

    private static int bytesInLine(String key) {
        return 1 + (key.length() <= SHORT ? 3 * SHORT : KeyRule.checkLength(key));
    }

    @Override
    Command<FoundItems<Stored>> command(Part part) {
        return part.isPlain
                ? MetaMultiGet.ofValues(part.keys, AS_STORED)
                : new MetaMultiGet<>(part.keys, wanted, exptime, AS_STORED);
    }

    @Override
    @Nullable
    Part take(Part part, FoundItems<Stored> answer, Function<String, CommandContext> contexts) {
        answer.forEachHit(this::put);
        for (String key : answer.tooLarge()) {
            put(
                    key,
                    new MemcachedValueTooLargeException(
                            "the item's value is above this client's limit maxValueBytes=" + coder.maxValueBytes(),
                            contexts.apply(key),
                            null));
        }
        answer.failures().forEach(this::put);
        answer.errors().forEach((key, error) -> put(key, error.toException(contexts.apply(key))));
        return answer.unsure().isEmpty() ? null : new Part(answer.unsure(), false);
    }

    private void put(String stored, Object outcome) {
        outcomes.put(keys.written(stored), outcome);
    }

    @Override
    void take(Part part, MemcachedException failure) {
        part.keys.forEach(key -> put(key, failure.ofKey(key)));
    }

    @Override
    @SuppressWarnings("unchecked") // Each value left in the map is a result.
    MultiGetResult<R> result() {
        Set<String> misses = new LinkedHashSet<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>(keys.illegal());
        for (Iterator<Map.Entry<String, @Nullable Object>> all =
                        outcomes.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<String, @Nullable Object> entry = all.next();
            MemcachedException failure = failure(entry);
            if (failure != null && !policy.isMiss(failure)) {
                failures.put(entry.getKey(), failure);
                all.remove();
            } else if (failure != null || entry.getValue() == null) {
                misses.add(entry.getKey());
                all.remove();
            }
        }
        return new MultiGetResult<>(
                Collections.unmodifiableMap((Map<String, R>) (Map<String, ?>) outcomes),
                Collections.unmodifiableSet(misses),
                Collections.unmodifiableMap(failures));
    }

    /**
     * Decodes a found value, and puts the result into the entry. Returns the failure of the key; null without a
     * failure.
     */
    private @Nullable MemcachedException failure(Map.Entry<String, @Nullable Object> entry) {
        try {
            if (entry.getValue() instanceof Stored stored) {
                V value = coder.decode(entry.getKey(), new EncodedValue(stored.data, stored.flags));
                entry.setValue(maker.result(value, stored.casUnique));
                return null;
            }
            return (MemcachedException) entry.getValue();
        } catch (MemcachedException e) {
            return e;
        }
    }
}
