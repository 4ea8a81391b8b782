// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ErrorReply;
import io.memshard.client.protocol.Key;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.transcoder.EncodedValue;
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
 * Reads many items. Values are decoded when the result is taken, so a value that cannot be decoded fails only its own
 * key.
 *
 * <p>Threading: confined to one thread at a time.
 */
@SuppressWarnings("exports") // For our own modules, which see what it is made of.
public final class MultiGet<R>
        extends MultiOperation<List<String>, MetaMultiGet.Found<MultiRead.Stored>, MultiGetResult<R>> {

    private static final MetaGet.Hit<MultiRead.Stored> AS_STORED =
            (data, flags, casUnique) -> new MultiRead.Stored(new EncodedValue(data, flags), casUnique);

    private final MultiRead<?, R> read;
    private final FailurePolicy policy;
    private final MultiKeys keys;
    private final Map<String, MultiRead.Stored> found = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    /** Reads the items under the distinct legal keys; all keys are checked here. */
    private MultiGet(MultiRead<?, R> read, Collection<String> keys, FailurePolicy policy) {
        this.read = read;
        this.policy = policy;
        this.keys = new MultiKeys(read.rule(), keys);
    }

    /** Reads the items under the distinct keys, on the calling thread. */
    public static <R> MultiGetResult<R> run(
            MultiRead<?, R> read, Collection<String> keys, CommandSender sender, long timeoutNanos) {
        return BlockingMulti.run(new MultiGet<>(read, keys, sender.failurePolicy()), sender, timeoutNanos);
    }

    /** As {@link #run}, for a caller that does not wait. */
    public static <R> CompletableFuture<MultiGetResult<R>> start(
            MultiRead<?, R> read, Collection<String> keys, CommandSender sender, Duration timeout) {
        return AsyncMulti.start(new MultiGet<>(read, keys, sender.failurePolicy()), sender, timeout);
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
    Map<CommandSender, List<List<String>>> parts(CommandSender sender) {
        return parts(keys.stored(), sender);
    }

    @Override
    Map<CommandSender, List<List<String>>> parts(List<String> part, CommandSender sender) {
        return MultiParts.of(sender, part, key -> key, MultiGet::requestBytes);
    }

    private static int requestBytes(String key) {
        return Key.checkLength(key) + MultiParts.FLAGS_BYTES;
    }

    @Override
    Command<MetaMultiGet.Found<MultiRead.Stored>> command(List<String> part) {
        return new MetaMultiGet<>(part, read.wanted(), read.exptime(), AS_STORED);
    }

    @Override
    @Nullable
    List<String> takeAnswer(
            List<String> part, MetaMultiGet.Found<MultiRead.Stored> answer, Function<String, CommandContext> contexts) {
        Map<String, MultiRead.Stored> hits = answer.hits();
        hits.forEach((key, value) -> found.put(keys.written(key), value));
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
        ErrorReply error = answer.unplacedError();
        if (error != null) {
            // The server does not say for which key, so no key without a value is certainly a miss.
            for (String key : part) {
                if (!hits.containsKey(key)) {
                    failures.putIfAbsent(
                            keys.written(key),
                            new MemcachedServerException(
                                    "the server answered " + error.text() + " for this key or another",
                                    contexts.apply(key),
                                    null));
                }
            }
        }
        return null;
    }

    @Override
    void takeFailure(List<String> part, MemcachedException failure) {
        part.forEach(key -> failures.put(keys.written(key), failure.ofKey(key)));
    }

    @Override
    MultiGetResult<R> result() {
        Map<String, MemcachedException> failed = new LinkedHashMap<>(keys.illegal());
        Set<String> misses = new LinkedHashSet<>();
        for (String key : keys.written()) {
            MemcachedException failure = failures.get(key);
            if (failure != null) {
                failed.put(key, failure);
            } else if (!found.containsKey(key)) {
                misses.add(key);
            }
        }
        return withMisses(new MultiGetResult<>(found, misses, failed).map(read::result));
    }

    /** The result with failed keys as misses, if the policy takes their failures for misses. */
    private MultiGetResult<R> withMisses(MultiGetResult<R> decoded) {
        if (decoded.failures().isEmpty()) {
            return decoded;
        }
        Set<String> misses = new LinkedHashSet<>(decoded.misses());
        Map<String, MemcachedException> failed = new LinkedHashMap<>();
        decoded.failures().forEach((key, failure) -> {
            if (policy.isMiss(failure)) {
                misses.add(key);
            } else {
                failed.put(key, failure);
            }
        });
        return new MultiGetResult<>(
                decoded.hits(), Collections.unmodifiableSet(misses), Collections.unmodifiableMap(failed));
    }
}
