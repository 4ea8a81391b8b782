// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import org.jspecify.annotations.Nullable;

/**
 * Function that loads values from their source, such as a database, during a blocking call.
 *
 * @param <K> type of the loader's argument: a key, or the set of keys that one caller loads
 * @param <V> type of the loader's result: a value, or the values by key
 */
@FunctionalInterface
public interface ValueLoader<K, V extends @Nullable Object> {

    /**
     * Returns the value of {@code key}, or null if no value exists.
     *
     * <p>Failure: an unchecked exception is thrown unchanged to the caller of {@code getOrLoad}. A checked exception is
     * wrapped in a {@link ValueLoaderException}.
     */
    @Nullable
    V load(K key) throws Exception;
}
