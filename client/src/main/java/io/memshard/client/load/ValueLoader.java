// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import org.jspecify.annotations.Nullable;

/** Loads the value of a key from where it comes from, for a blocking {@code getOrLoad}. */
@FunctionalInterface
public interface ValueLoader<V> {

    /**
     * The value of {@code key}, or null if there is none.
     *
     * <p>Failure: what is unchecked goes to the caller of {@code getOrLoad} as it is. A checked exception goes there as
     * the cause of a {@link ValueLoaderException}.
     */
    @Nullable
    V load(String key) throws Exception;
}
