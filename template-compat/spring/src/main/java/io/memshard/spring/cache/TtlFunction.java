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
     * @param value value to store; null if the value is null, or if the cache has not yet read or loaded a value
     * @return time to live, more than zero, rounded up to whole seconds, or {@link TimeToLive#NEVER}
     */
    Duration getTimeToLive(Object key, @Nullable Object value);
}
