package io.memshard.client;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.protocol.ErrorReply;
import io.memshard.client.protocol.Key;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaGetMany;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads many items. Values stay as they are stored until the result is asked for, so that one that cannot be
 * decoded fails its own key only.
 *
 * <p>Threading: confined to one thread at a time.
 */
final class MultiGet<V> implements BulkOperation<List<String>, MetaGetMany<EncodedValue>, MultiGetResult<V>> {

    private static final MetaGet.Hit<EncodedValue> AS_STORED =
            (data, flags, casUnique) -> new EncodedValue(data, flags);

    private final ClientCommands<V> commands;
    private final List<String> keys;
    private final Map<String, EncodedValue> found = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    /** Reads the items under the distinct ones of these keys, all of which are checked here. */
    MultiGet(ClientCommands<V> commands, Collection<String> keys) {
        this.commands = commands;
        this.keys = distinct(keys);
    }

    /** The distinct ones of these keys, in their order, all checked. */
    static List<String> distinct(Collection<String> keys) {
        Set<String> distinct = new LinkedHashSet<>(keys);
        distinct.forEach(Key::checkedLength);
        return List.copyOf(distinct);
    }

    @Override
    public List<List<String>> parts() {
        return BulkParts.of(keys, MultiGet::requestBytes);
    }

    private static int requestBytes(String key) {
        return Key.checkedLength(key) + BulkParts.FLAGS_BYTES;
    }

    @Override
    public MetaGetMany<EncodedValue> command(List<String> part) {
        return new MetaGetMany<>(part, AS_STORED);
    }

    @Override
    public @Nullable List<String> answered(
            List<String> part, MetaGetMany<EncodedValue> command, Function<String, CommandContext> contexts) {
        Map<String, EncodedValue> hits = command.result();
        found.putAll(hits);
        for (String key : command.tooLarge()) {
            failures.put(
                    key,
                    new MemcachedValueTooLargeException(
                            "the item's value is above this client's limit maxValueBytes=" + commands.maxValueBytes(),
                            contexts.apply(key),
                            null));
        }
        ErrorReply error = command.unplacedError();
        if (error != null) {
            // The server does not say for which key, so no key without a value can be said to be a miss.
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
    public void failed(List<String> part, MemcachedException failure) {
        part.forEach(key -> failures.put(key, failure.ofKey(key)));
    }

    @Override
    public MultiGetResult<V> result() {
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
        return new MultiGetResult<>(found, misses, failed).map(commands::decode);
    }
}
