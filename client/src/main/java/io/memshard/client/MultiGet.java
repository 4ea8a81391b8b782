package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.ValueTooLargeException;
import io.memshard.client.protocol.MetaGet;
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
 * Gathers the parts of one multi-get into one result that accounts for each key. Values stay as they are
 * stored, so that one that cannot be decoded fails its own key only.
 *
 * <p>Threading: confined to one caller.
 */
final class MultiGet {

    private static final MetaGet.Hit<EncodedValue> AS_STORED =
            (data, flags, casUnique) -> new EncodedValue(data, flags);

    private final Map<String, EncodedValue> hits = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();
    private final Set<String> misses;

    MultiGet(Collection<String> keys) {
        misses = new LinkedHashSet<>(keys);
    }

    /** The commands for the distinct keys, all made, and so all keys checked, before the first is sent. */
    List<MetaGetMany<EncodedValue>> commands() {
        List<String> distinct = new ArrayList<>(misses);
        List<MetaGetMany<EncodedValue>> parts = new ArrayList<>();
        for (int from = 0; from < distinct.size(); from += MetaGetMany.MAX_KEYS) {
            int to = Math.min(from + MetaGetMany.MAX_KEYS, distinct.size());
            parts.add(new MetaGetMany<>(distinct.subList(from, to), AS_STORED));
        }
        return parts;
    }

    /** Takes in the answer to one part. */
    void answered(MetaGetMany<EncodedValue> command, Map<String, EncodedValue> found) {
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
    MultiGetResult<EncodedValue> result() {
        return new MultiGetResult<>(
                Collections.unmodifiableMap(hits),
                Collections.unmodifiableSet(misses),
                Collections.unmodifiableMap(failures));
    }
}
