package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.ValueTooLargeException;
import io.memshard.client.protocol.MetaGetMany;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gathers the parts of one multi-get into one result that accounts for each key.
 *
 * <p>Threading: confined to one caller.
 */
final class MultiGet<V> {

    private final Map<String, V> hits = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();
    private final Set<String> misses;

    MultiGet(Collection<String> keys) {
        misses = new LinkedHashSet<>(keys);
    }

    /** The commands for the distinct keys, all made, and so all keys checked, before the first is sent. */
    List<MetaGetMany<V>> commands(ClientCommands<V> commands) {
        List<String> distinct = new ArrayList<>(misses);
        List<MetaGetMany<V>> parts = new ArrayList<>();
        for (int from = 0; from < distinct.size(); from += MetaGetMany.MAX_KEYS) {
            int to = Math.min(from + MetaGetMany.MAX_KEYS, distinct.size());
            parts.add(commands.getMany(distinct.subList(from, to)));
        }
        return parts;
    }

    /** Takes in the answer to one part. */
    void answered(MetaGetMany<V> command, Map<String, V> found) {
        hits.putAll(found);
        misses.removeAll(found.keySet());
        for (String key : command.tooLarge()) {
            failed(List.of(key), new ValueTooLargeException("an item is above this client's value limit", null, null));
        }
    }

    /** Takes in the failure of one part. */
    void failed(List<String> part, MemcachedException failure) {
        for (String key : part) {
            failures.put(key, failure);
            misses.remove(key);
        }
    }

    /** What became of each key, once every part was taken in. */
    MultiGetResult<V> result() {
        return new MultiGetResult<>(
                Collections.unmodifiableMap(hits),
                Collections.unmodifiableSet(misses),
                Collections.unmodifiableMap(failures));
    }
}
