// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.TimeToLive;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Function that determines the time to live of a cache's entry.
 *
 * <p>Threading: must be thread-safe.
 */
@FunctionalInterface
public interface TtlFunction {

    /**
     * Returns the time to live of an entry.
     *
     * @param key key that the application passed to the cache
     * @param value value to store; null if this value is null, and also before a value is read or loaded
     * @return time to live, more than zero, rounded up to whole seconds, or {@link TimeToLive#NEVER}
     */
    Duration getTimeToLive(Object key, @Nullable Object value);

    /** Returns a function with the same time to live for each entry. */
    static TtlFunction just(Duration ttl) {
        return (key, value) -> ttl;
    }

    /** Returns a function for entries that never expire, but that a server without free memory may evict. */
    static TtlFunction persistent() {
        return just(TimeToLive.NEVER);
    }
}
