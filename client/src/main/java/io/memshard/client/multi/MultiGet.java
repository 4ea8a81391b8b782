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
import io.memshard.client.transcoder.ValueCoder;
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
public final class MultiGet<V>
        extends MultiOperation<List<String>, MetaMultiGet.Found<EncodedValue>, MultiGetResult<V>> {

    private static final MetaGet.Hit<EncodedValue> AS_STORED =
            (data, flags, casUnique) -> new EncodedValue(data, flags);

    private final ValueCoder<V> coder;
    private final FailurePolicy policy;
    private final List<String> keys;
    private final Map<String, EncodedValue> found = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    /** Reads the items under the distinct keys; all keys are checked here. */
    private MultiGet(ValueCoder<V> coder, Collection<String> keys, FailurePolicy policy) {
        this.coder = coder;
        this.policy = policy;
        this.keys = distinct(keys);
    }

    /** Reads the items under the distinct keys, on the calling thread. */
    public static <V> MultiGetResult<V> run(
            ValueCoder<V> coder, Collection<String> keys, CommandSender sender, long timeoutNanos) {
        return BlockingMulti.run(new MultiGet<>(coder, keys, sender.failurePolicy()), sender, timeoutNanos);
    }

    /** As {@link #run}, for a caller that does not wait. */
    public static <V> CompletableFuture<MultiGetResult<V>> start(
            ValueCoder<V> coder, Collection<String> keys, CommandSender sender, Duration timeout) {
        return AsyncMulti.start(new MultiGet<>(coder, keys, sender.failurePolicy()), sender, timeout);
    }

    /** The distinct keys in their order, all checked. */
    static List<String> distinct(Collection<String> keys) {
        Set<String> distinct = new LinkedHashSet<>(keys);
        distinct.forEach(Key::checkLength);
        return List.copyOf(distinct);
    }

    @Override
    List<List<String>> parts() {
        return MultiParts.of(keys, MultiGet::requestBytes);
    }

    private static int requestBytes(String key) {
        return Key.checkLength(key) + MultiParts.FLAGS_BYTES;
    }

    @Override
    Command<MetaMultiGet.Found<EncodedValue>> command(List<String> part) {
        return new MetaMultiGet<>(part, AS_STORED);
    }

    @Override
    @Nullable
    List<String> takeAnswer(
            List<String> part, MetaMultiGet.Found<EncodedValue> answer, Function<String, CommandContext> contexts) {
        Map<String, EncodedValue> hits = answer.hits();
        found.putAll(hits);
        for (String key : answer.tooLarge()) {
            failures.put(
                    key,
                    new MemcachedValueTooLargeException(
                            "the item's value is above this client's limit maxValueBytes=" + coder.maxValueBytes(),
                            contexts.apply(key),
                            null));
        }
        ErrorReply error = answer.unplacedError();
        if (error != null) {
            // The server does not say for which key, so no key without a value is certainly a miss.
            for (String key : part) {
                if (!hits.containsKey(key)) {
                    failures.putIfAbsent(
                            key,
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
        part.forEach(key -> failures.put(key, failure.ofKey(key)));
    }

    @Override
    MultiGetResult<V> result() {
        Map<String, MemcachedException> failed = new LinkedHashMap<>();
        Set<String> misses = new LinkedHashSet<>();
        for (String key : keys) {
            MemcachedException failure = failures.get(key);
            if (failure != null) {
                failed.put(key, failure);
            } else if (!found.containsKey(key)) {
                misses.add(key);
            }
        }
        return withMisses(new MultiGetResult<>(found, misses, failed).map(coder::decode));
    }

    /** The result with failed keys as misses, if the policy takes their failures for misses. */
    private MultiGetResult<V> withMisses(MultiGetResult<V> decoded) {
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
