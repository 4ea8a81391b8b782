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
 * A write failed in too many zones of replicated servers, or in the old or the new fleet (group of servers) of a
 * migration. Reads may find the old value where the write failed.
 *
 * <p>Successful writes are not undone. If the write may be executed twice, repeat the write; otherwise delete the item.
 *
 * <p>Threading: immutable.
 */
public final class MemcachedReplicationException extends MemcachedException {

    private final Set<String> done;

    @SuppressWarnings("serial") // An unmodifiable LinkedHashMap of failures, which are serializable.
    private final Map<String, MemcachedException> failures;

    /**
     * Creates a failure of a write in at least one zone or fleet.
     *
     * @param done names of the zones or fleets where the write succeeded; copied
     * @param failures failures by the name of the zone or fleet; not empty, copied
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

    /** Returns the names of the zones or fleets where the write succeeded. */
    public Set<String> done() {
        return done;
    }

    /** Returns the zones or fleets where the write failed, or where its outcome is unknown, each with its failure. */
    public Map<String, MemcachedException> failures() {
        return failures;
    }

    /** Returns true only if the write was not sent to any zone or fleet. */
    @Override
    public boolean isSafeToRetry() {
        return done.isEmpty() && failures.values().stream().allMatch(MemcachedException::isSafeToRetry);
    }
}
