// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import io.memshard.client.exception.MemcachedException;
import java.util.Map;
import java.util.Set;

/**
 * What happened to each key of a multi-set. Every key is in exactly one of the two.
 *
 * <p>Threading: immutable.
 *
 * @param stored the keys whose values were stored
 * @param failures the keys that are illegal, or whose values were rejected or have no answer, with the cause; {@link
 *     MemcachedException#isSafeToRetry()} says whether the value was not even sent
 */
public record MultiSetResult(Set<String> stored, Map<String, MemcachedException> failures) {

    /** The stored keys; throws the first failure if there is any. */
    public Set<String> storedOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return stored;
    }

    /** How many keys of each kind; neither keys nor values. */
    @Override
    public String toString() {
        return "MultiSetResult[stored=" + stored.size() + ", failures=" + failures.size() + ']';
    }
}
