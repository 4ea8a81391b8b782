// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Results of a multi-set or multi-delete, which spymemcached sends as one command per key; thread-safe. */
record AsyncManyKeys(Set<String> done, Set<String> notDone, Map<String, MemcachedException> failures) {

    /** Maximum number of commands in flight, so that spymemcached's queue does not fill up. */
    private static final int PART = 100;

    static CompletableFuture<AsyncManyKeys> run(
            Collection<String> keys, Function<String, CompletableFuture<Boolean>> command) {
        AsyncManyKeys outcomes = new AsyncManyKeys(
                Collections.synchronizedSet(new LinkedHashSet<>()),
                Collections.synchronizedSet(new LinkedHashSet<>()),
                Collections.synchronizedMap(new LinkedHashMap<>()));
        return outcomes.from(0, List.copyOf(keys), command);
    }

    private CompletableFuture<AsyncManyKeys> from(
            int first, List<String> keys, Function<String, CompletableFuture<Boolean>> command) {
        if (first >= keys.size()) {
            return CompletableFuture.completedFuture(this);
        }
        int end = Math.min(first + PART, keys.size());
        CompletableFuture<?>[] part = keys.subList(first, end).stream()
                .map(key -> command.apply(key).<@Nullable Void>handle((isDone, thrown) -> outcome(key, isDone, thrown)))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(part).thenCompose(all -> from(end, keys, command));
    }

    private @Nullable Void outcome(String key, @Nullable Boolean isDone, @Nullable Throwable thrown) {
        if (thrown == null) {
            (Boolean.TRUE.equals(isDone) ? done : notDone).add(key);
            return null;
        }
        if (Futures.cause(thrown) instanceof MemcachedException failure) {
            failures.put(key, failure);
            return null;
        }
        throw new IllegalStateException(Futures.cause(thrown));
    }
}
