// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import io.memshard.client.exception.MemcachedException;
import java.util.Map;
import java.util.Set;

/**
 * Outcome of a multi-set for each key. Every key is in exactly one of the two collections.
 *
 * <p>Threading: immutable.
 *
 * @param stored the keys whose values were stored
 * @param failures the failure of each key that is illegal or whose set failed.
 *     {@link MemcachedException#isSafeToRetry()} is true if the value was not sent
 */
public record MultiSetResult(Set<String> stored, Map<String, MemcachedException> failures) {

    /** Returns the stored keys; throws the first failure if any key failed. */
    public Set<String> storedOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return stored;
    }

    /** Shows the numbers of stored and failed keys, but neither keys nor values. */
    @Override
    public String toString() {
        return "MultiSetResult[stored=" + stored.size() + ", failures=" + failures.size() + ']';
    }
}
