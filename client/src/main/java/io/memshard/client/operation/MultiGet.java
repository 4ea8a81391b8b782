// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
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
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Multi-get: the read of many items. Values are decoded when the result is taken, so a value that cannot be decoded
 * fails only its own key.
 *
 * <p>Threading: confined to one thread at a time.
 */
final class MultiGet<R> extends MultiOperation<MultiGet.Part, FoundItems<MultiRead.Stored>, MultiGetResult<R>> {

    /**
     * The keys of a command.
     *
     * @param isPlain whether only the values are read, which may leave some keys {@linkplain FoundItems#unsure unsure}
     */
    record Part(List<String> keys, boolean isPlain) {}

    private static final MetaGet.Hit<MultiRead.Stored> AS_STORED = MultiRead.Stored::new;

    /** Maximum number of characters of a key of which {@link KeysCommand#MAX_KEYS} fit in a line in any language. */
    private static final int SHORT = (MultiParts.MAX_LINE_BYTES / KeysCommand.MAX_KEYS - 1) / 3;

    private final MultiRead<?, R> read;
    private final FailurePolicy policy;
    private final MultiKeys keys;

    /** Value found under each legal key; null until one is found. The keys are as the caller wrote them. */
    private final Map<String, @Nullable Object> found;

    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    /** Creates the read of the items under the distinct legal keys. Checks all keys. */
    private MultiGet(MultiRead<?, R> read, Collection<String> keys, FailurePolicy policy) {
        this.read = read;
        this.policy = policy;
        this.keys = new MultiKeys(read.rule(), keys);
        found = this.keys.outcomes();
    }

    /** Reads the items under the distinct keys, on the calling thread. */
    public static <R> MultiGetResult<R> run(
            MultiRead<?, R> read, Collection<String> keys, Calls calls, long timeoutNanos) {
        return BlockingMulti.run(new MultiGet<>(read, keys, calls.failurePolicy()), calls, timeoutNanos);
    }

    /** Same as {@link #run}, but the caller does not wait. */
    public static <R> CompletableFuture<MultiGetResult<R>> start(
            MultiRead<?, R> read, Collection<String> keys, Calls calls, Duration timeout) {
        return AsyncMulti.start(new MultiGet<>(read, keys, calls.failurePolicy()), calls, timeout);
    }

    @Override
    String name() {
        return MetaMultiGet.operation(read.wanted(), read.exptime());
    }

    @Override
    int keyCount() {
        return keys.size();
    }

    @Override
    Map<CommandSender, List<Part>> parts(CommandSender sender) {
        boolean isPlain = read.wanted() == MetaGet.Wanted.VALUE && read.exptime() == MetaGet.NO_TOUCH;
        return parts(new Part(keys.stored(), isPlain), sender);
    }

    @Override
    Map<CommandSender, List<Part>> parts(Part part, CommandSender sender) {
        return MultiParts.of(
                sender,
                part.keys,
                key -> key,
                MultiGet::bytesInLine,
                MultiParts.MAX_LINE_BYTES,
                piece -> new Part(piece, part.isPlain));
    }

    private static int bytesInLine(String key) {
        return 1 + (key.length() <= SHORT ? 3 * SHORT : KeyRule.checkLength(key));
    }

    @Override
    Command<FoundItems<MultiRead.Stored>> command(Part part) {
        return part.isPlain
                ? MetaMultiGet.ofValues(part.keys, AS_STORED)
                : new MetaMultiGet<>(part.keys, read.wanted(), read.exptime(), AS_STORED);
    }

    @Override
    @Nullable
    Part takeAnswer(Part part, FoundItems<MultiRead.Stored> answer, Function<String, CommandContext> contexts) {
        answer.forEachHit((key, value) -> found.put(keys.written(key), value));
        for (String key : answer.tooLarge()) {
            failures.put(
                    keys.written(key),
                    new MemcachedValueTooLargeException(
                            "the item's value is above this client's limit maxValueBytes="
                                    + read.coder().maxValueBytes(),
                            contexts.apply(key),
                            null));
        }
        answer.failures().forEach((key, failure) -> {
            if (!policy.isMiss(failure)) {
                failures.put(keys.written(key), failure);
            }
        });
        String whose = answer.areErrorsPlaced() ? "" : " for this key or another";
        answer.errors()
                .forEach((key, error) -> failures.put(
                        keys.written(key),
                        new MemcachedServerException(
                                "the server answered " + error.text() + whose, contexts.apply(key), null)));
        return answer.unsure().isEmpty() ? null : new Part(answer.unsure(), false);
    }

    @Override
    void takeFailure(Part part, MemcachedException failure) {
        part.keys.forEach(key -> failures.put(keys.written(key), failure.ofKey(key)));
    }

    @Override
    @SuppressWarnings("unchecked") // Each value left in the map is a result.
    MultiGetResult<R> result() {
        Set<String> misses = new LinkedHashSet<>();
        Map<String, MemcachedException> failed = new LinkedHashMap<>(keys.illegal());
        found.entrySet().removeIf(entry -> !isHit(entry, misses, failed));
        return new MultiGetResult<>(
                Collections.unmodifiableMap((Map<String, R>) (Map<String, ?>) found),
                Collections.unmodifiableSet(misses),
                Collections.unmodifiableMap(failed));
    }

    /**
     * Replaces the found value with the result. If there is no result, records the miss or the failure and returns
     * false.
     */
    private boolean isHit(
            Map.Entry<String, @Nullable Object> entry, Set<String> misses, Map<String, MemcachedException> failed) {
        String key = entry.getKey();
        MemcachedException failure = failures.get(key);
        if (failure == null) {
            failure = decode(entry);
        }
        if (failure != null && !policy.isMiss(failure)) {
            failed.put(key, failure);
        } else if (failure != null || entry.getValue() == null) {
            misses.add(key);
        } else {
            return true;
        }
        return false;
    }

    /** Replaces a found value with the result. Returns the failure if the value cannot be decoded, else null. */
    private @Nullable MemcachedException decode(Map.Entry<String, @Nullable Object> entry) {
        try {
            if (entry.getValue() instanceof MultiRead.Stored stored) {
                entry.setValue(read.result(entry.getKey(), stored));
            }
            return null;
        } catch (MemcachedException e) {
            return e;
        }
    }
}
