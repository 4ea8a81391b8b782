// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.TimeToLive;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long an entry of a cache lives.
 *
 * <p>Threading: must be safe for use by many threads at once.
 */
@FunctionalInterface
public interface TtlFunction {

    /**
     * The time to live of an entry.
     *
     * @param key as the application gave it to the cache
     * @param value the value to store; null for a null value, and where a value is read or about to be loaded
     * @return more than zero, rounded up to whole seconds, or {@link TimeToLive#NEVER}
     */
    Duration getTimeToLive(Object key, @Nullable Object value);

    /** The same time to live for each entry. */
    static TtlFunction just(Duration ttl) {
        return new SameTtl(ttl);
    }

    /** Entries that never expire. The server may still evict them for lack of memory. */
    static TtlFunction persistent() {
        return just(TimeToLive.NEVER);
    }
}

/** The same for all, so that nothing has to be asked again when a value is known. */
record SameTtl(Duration ttl) implements TtlFunction {

    @Override
    public Duration getTimeToLive(Object key, @Nullable Object value) {
        return ttl;
    }
}
