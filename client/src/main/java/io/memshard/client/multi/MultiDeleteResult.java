// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import io.memshard.client.exception.MemcachedException;
import java.util.Map;
import java.util.Set;

/**
 * Outcome of a multi-delete for each key. Every distinct key is in exactly one of the three collections.
 *
 * <p>Threading: immutable.
 *
 * @param deleted the keys whose items were deleted
 * @param misses the keys for which the server had no item
 * @param failures the failure of each key that is illegal or whose delete failed
 */
public record MultiDeleteResult(Set<String> deleted, Set<String> misses, Map<String, MemcachedException> failures) {

    /** Returns the deleted keys; throws the first failure if any key failed. */
    public Set<String> deletedOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return deleted;
    }

    /** Shows the numbers of deleted, missing and failed keys, but no keys. */
    @Override
    public String toString() {
        return "MultiDeleteResult[deleted=" + deleted.size() + ", misses=" + misses.size() + ", failures="
                + failures.size() + ']';
    }
}
