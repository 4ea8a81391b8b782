// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.sharding.copies.Answer;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.CopyRead;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Read of one item or of many items: first from the target fleet, then from the source fleet for the missing and failed
 * items. If the command also touches items, or reads cas uniques, the missing items are first copied and then read from
 * the target fleet. Immutable.
 */
final class MoveRead<V> {

    private final Fleets fleets;
    private final CopyRead<V> read;

    MoveRead(Fleets fleets, CopyRead<V> read) {
        this.fleets = fleets;
        this.read = read;
    }

    CompletableFuture<FoundItems<V>> afterTarget(FoundItems<V> found, Deadline deadline) {
        fleets.counters().targetHits.add(found.hits().size());
        fleets.counters().failed.add(found.failures().size());
        List<String> missing = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (String key : read.keys()) {
            MemcachedException failure = found.failures().get(key);
            if (failure != null) {
                if (CopiesSender.isOfServer(failure) && fleets.moves().test(key)) {
                    failed.add(key);
                }
            } else if (!found.hits().containsKey(key) && !found.tooLarge().contains(key)) {
                if (fleets.moves().test(key)) {
                    missing.add(key);
                } else {
                    fleets.counters().misses.increment();
                }
            }
        }
        if (read.command().effect() != Effect.READ) {
            return missing.isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : copyMissing(missing, deadline).thenCompose(again -> afterCopies(found, again, deadline));
        }
        List<String> queried = new ArrayList<>(missing);
        queried.addAll(failed);
        return queried.isEmpty()
                ? CompletableFuture.completedFuture(found)
                : read.send(fleets.source(), queried)
                        .answer(deadline.left())
                        .thenApply(inSource -> afterSource(found, inSource, missing, deadline));
    }

    private FoundItems<V> afterSource(
            FoundItems<V> found, FoundItems<V> inSource, List<String> missing, Deadline deadline) {
        fleets.counters().sourceHits.add(inSource.hits().size());
        fleets.counters().failed.add(inSource.failures().size());
        Map<String, MemcachedException> failures = new LinkedHashMap<>(found.failures());
        failures.keySet().removeAll(inSource.hits().keySet());
        inSource.failures().forEach((key, second) -> {
            MemcachedException first = failures.putIfAbsent(key, second);
            if (first != null) {
                Futures.suppress(second, first);
            }
        });
        for (String key : missing) {
            if (inSource.hits().containsKey(key)) {
                fleets.copyInBackground(read.itemKey(key), deadline);
            } else if (!inSource.failures().containsKey(key)
                    && !inSource.tooLarge().contains(key)) {
                fleets.counters().misses.increment();
            }
        }
        return joined(found, inSource, failures);
    }

    private FoundItems<V> joined(FoundItems<V> first, FoundItems<V> second, Map<String, MemcachedException> failures) {
        Map<String, V> hits = new LinkedHashMap<>();
        for (String key : read.keys()) {
            V value = first.hits().getOrDefault(key, second.hits().get(key));
            if (value != null) {
                hits.put(key, value);
            }
        }
        List<String> tooLarge = new ArrayList<>(first.tooLarge());
        tooLarge.addAll(second.tooLarge());
        tooLarge.forEach(failures::remove);
        return new FoundItems<>(hits, tooLarge, failures);
    }

    private CompletableFuture<List<Copied>> copyMissing(List<String> missing, Deadline deadline) {
        return Futures.all(missing.stream()
                .map(key -> fleets.copyIfMissing(read.itemKey(key), deadline)
                        .handle((result, thrown) ->
                                new Copied(key, result, thrown == null ? null : Answer.known(thrown))))
                .toList());
    }

    private record Copied(
            String key, @Nullable Result result, @Nullable MemcachedException failure) {}

    private CompletableFuture<FoundItems<V>> afterCopies(FoundItems<V> found, List<Copied> copies, Deadline deadline) {
        Map<String, MemcachedException> failures = new LinkedHashMap<>(found.failures());
        List<String> there = new ArrayList<>();
        for (Copied copy : copies) {
            if (copy.failure != null) {
                failures.put(copy.key, copy.failure);
            } else if (copy.result != Result.ABSENT) {
                there.add(copy.key);
            }
        }
        if (there.isEmpty()) {
            return CompletableFuture.completedFuture(new FoundItems<>(found.hits(), found.tooLarge(), failures));
        }
        return read.send(fleets.target(), there).answer(deadline.left()).thenApply(again -> {
            fleets.counters().sourceHits.add(again.hits().size());
            failures.putAll(again.failures());
            return joined(found, again, failures);
        });
    }
}
