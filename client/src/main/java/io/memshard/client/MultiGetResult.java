package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import java.util.Map;
import java.util.Set;

/**
 * What became of each key of a multi-get. Every distinct key asked for is in exactly one of the three.
 *
 * <p>Threading: immutable.
 *
 * @param hits the values found
 * @param misses the keys the server has no item for
 * @param failures the keys that got no answer, with the cause
 */
public record MultiGetResult<V>(Map<String, V> hits, Set<String> misses, Map<String, MemcachedException> failures) {

    /** The hits, or the first failure thrown when there is any. */
    public Map<String, V> hitsOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return hits;
    }
}
