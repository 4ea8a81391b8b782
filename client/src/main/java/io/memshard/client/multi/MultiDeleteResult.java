// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import io.memshard.client.exception.MemcachedException;
import java.util.Map;
import java.util.Set;

/**
 * What happened to each key of a multi-delete. Every distinct key is in exactly one of the three.
 *
 * <p>Threading: immutable.
 *
 * @param deleted the keys whose items were deleted
 * @param misses the keys for which the server had no item
 * @param failures the keys that are illegal or have no answer, with the cause
 */
public record MultiDeleteResult(Set<String> deleted, Set<String> misses, Map<String, MemcachedException> failures) {

    /** The deleted keys; throws the first failure if there is any. */
    public Set<String> deletedOrThrow() {
        for (MemcachedException failure : failures.values()) {
            throw failure;
        }
        return deleted;
    }

    /** How many keys of each kind; neither keys nor values. */
    @Override
    public String toString() {
        return "MultiDeleteResult[deleted=" + deleted.size() + ", misses=" + misses.size() + ", failures="
                + failures.size() + ']';
    }
}
