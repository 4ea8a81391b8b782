// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import org.jspecify.annotations.Nullable;

/** Loads the value of a key from its source, for a blocking {@code getOrLoad}. */
@FunctionalInterface
public interface ValueLoader<V> {

    /**
     * Returns the value of {@code key}, or null if none exists.
     *
     * <p>Failure: an unchecked exception is thrown unchanged to the caller of {@code getOrLoad}. A checked exception
     * becomes the cause of a {@link ValueLoaderException}.
     */
    @Nullable
    V load(String key) throws Exception;
}
