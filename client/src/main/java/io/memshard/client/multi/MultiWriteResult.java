// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import io.memshard.client.exception.MemcachedException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * Outcome of a multi-set or a multi-delete for each key. Every distinct key is in exactly one of the three collections.
 *
 * <p>Threading: immutable.
 *
 * @param done the keys whose values were stored, or whose items were deleted
 * @param misses the keys for which the server had no item to delete; empty for a multi-set
 * @param failures the failure of each key that is illegal, or whose set or delete failed.
 *     {@link MemcachedException#isSafeToRetry()} is true if the command was not sent
 */
public record MultiWriteResult(Set<String> done, Set<String> misses, Map<String, MemcachedException> failures) {

    /** Makes the collections unmodifiable, without copying the collections. */
    public MultiWriteResult {
        done = Collections.unmodifiableSet(done);
        misses = Collections.unmodifiableSet(misses);
        failures = Collections.unmodifiableMap(failures);
    }

    /** Returns the keys that were stored or deleted; throws the first failure if any key failed. */
    public Set<String> doneOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return done;
    }

    /** Shows the numbers of keys, but neither keys nor values. */
    @Override
    public String toString() {
        return "MultiWriteResult[done=" + done.size() + ", misses=" + misses.size() + ", failures=" + failures.size()
                + ']';
    }
}
