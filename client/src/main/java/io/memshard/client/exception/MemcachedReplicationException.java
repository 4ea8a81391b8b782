// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A write was not done in as many places as it must be: in too few zones, or in one of two fleets. Reads may find the
 * old value in the places that failed.
 *
 * <p>What was done is not taken back. Repeat the write if it may be done twice, or delete the item.
 *
 * <p>Threading: immutable.
 */
public final class MemcachedReplicationException extends MemcachedException {

    private final Set<String> done;

    @SuppressWarnings("serial") // An unmodifiable LinkedHashMap of failures, which are serializable.
    private final Map<String, MemcachedException> failures;

    /**
     * A failure described by {@code message}, at {@code context}.
     *
     * @param done the names of the places where the write was done; copied
     * @param failures the others, each with its failure; not empty, copied
     */
    public MemcachedReplicationException(
            String message,
            @Nullable CommandContext context,
            Set<String> done,
            Map<String, ? extends MemcachedException> failures) {
        super(message, context, List.copyOf(failures.values()).get(0));
        this.done = Collections.unmodifiableSet(new LinkedHashSet<>(done));
        this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /** The names of the zones or fleets where the write was done. */
    public Set<String> done() {
        return done;
    }

    /** The zones or fleets where it was not done, or where that is unknown, each with its failure. */
    public Map<String, MemcachedException> failures() {
        return failures;
    }

    /** Only if the write was sent nowhere. */
    @Override
    public boolean isSafeToRetry() {
        return done.isEmpty() && failures.values().stream().allMatch(MemcachedException::isSafeToRetry);
    }
}
