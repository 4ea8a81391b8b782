// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.FoundItems;
import io.memshard.sharding.copies.Answer;
import io.memshard.sharding.copies.CopyRead;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Read that touches items or returns cas uniques. Missing items are first copied to the target fleet. */
record MoveRead<V>(Fleets fleets, CopyRead<V> read) {

    private record Copied(
            String key, @Nullable Result result, @Nullable MemcachedException failure) {}

    CompletableFuture<FoundItems<V>> afterTarget(FoundItems<V> found, Deadline deadline) {
        fleets.counters().targetHits.add(found.hits().size());
        fleets.counters().failed.add(found.failures().size());
        return Futures.all(read.keys().stream()
                        .filter(key -> fleets.differs(key)
                                && !found.hits().containsKey(key)
                                && !found.failures().containsKey(key))
                        .map(key -> fleets.addIfMissing(read.itemKey(key), deadline)
                                .handle((result, thrown) ->
                                        new Copied(key, result, thrown == null ? null : Answer.known(thrown))))
                        .toList())
                .thenCompose(copies -> afterCopies(found, copies, deadline));
    }

    private CompletableFuture<FoundItems<V>> afterCopies(FoundItems<V> found, List<Copied> copies, Deadline deadline) {
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        List<String> there = new ArrayList<>();
        for (Copied copy : copies) {
            if (copy.failure != null) {
                failures.put(copy.key, copy.failure);
            } else if (copy.result != Result.ABSENT) {
                there.add(copy.key);
            }
        }
        FoundItems<V> failed = new FoundItems<>(Map.of(), failures);
        if (there.isEmpty()) {
            return CompletableFuture.completedFuture(CopyRead.merged(read.keys(), List.of(found, failed)));
        }
        return read.send(fleets.target().sender(), there).end(deadline).thenApply(again -> {
            fleets.counters().sourceHits.add(again.hits().size());
            return CopyRead.merged(read.keys(), List.of(found, failed, again));
        });
    }
}
