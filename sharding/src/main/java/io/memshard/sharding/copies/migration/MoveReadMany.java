// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier.Result;
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.copies.SentRead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Read of many items: from the target fleet, then the missing and failed ones from the source fleet. If the command
 * also touches, or reads cas uniques, the missing items are first copied and then read from the target fleet.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class MoveReadMany<V> {

    private final Fleets fleets;
    private final MetaMultiGet<V> command;
    private final SentRead<V> sent;

    MoveReadMany(Fleets fleets, MetaMultiGet<V> command) {
        this.fleets = fleets;
        this.command = command;
        this.sent = new SentRead<>(fleets.target(), command);
    }

    CompletableFuture<FoundItems<V>> end(Deadline deadline) {
        return sent.answer(deadline.share(2)).thenCompose(found -> {
            fleets.counters().targetHits.add(found.hits().size());
            fleets.counters().failed.add(found.failures().size());
            List<String> missing = new ArrayList<>();
            List<String> failed = new ArrayList<>();
            for (String key : command.keys()) {
                MemcachedException failure = found.failures().get(key);
                if (failure != null && CopiesSender.isOfServer(failure)) {
                    if (fleets.moves().test(key)) {
                        failed.add(key);
                    }
                } else if (failure == null
                        && !found.hits().containsKey(key)
                        && !found.tooLarge().contains(key)) {
                    if (fleets.moves().test(key)) {
                        missing.add(key);
                    } else {
                        fleets.counters().misses.increment();
                    }
                }
            }
            if (command.effect() != Effect.READ) {
                return missing.isEmpty()
                        ? CompletableFuture.completedFuture(found)
                        : copyMissing(missing, deadline).thenCompose(again -> afterCopies(found, again, deadline));
            }
            List<String> queried = new ArrayList<>(missing);
            queried.addAll(failed);
            return queried.isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : new SentRead<>(fleets.source(), command.only(queried))
                            .answer(deadline.left())
                            .thenApply(inSource -> afterSource(found, inSource, missing, deadline));
        });
    }

    private FoundItems<V> afterSource(
            FoundItems<V> found, FoundItems<V> inSource, List<String> missing, Deadline deadline) {
        fleets.counters().sourceHits.add(inSource.hits().size());
        fleets.counters().failed.add(inSource.failures().size());
        Map<String, MemcachedException> failures = new LinkedHashMap<>(found.failures());
        failures.keySet().removeAll(inSource.hits().keySet());
        for (String key : missing) {
            MemcachedException failure = inSource.failures().get(key);
            if (failure != null) {
                failures.put(key, failure);
            } else if (inSource.hits().containsKey(key)) {
                fleets.copyInBackground(new ItemKey(key, false), deadline);
            } else if (!inSource.tooLarge().contains(key)) {
                fleets.counters().misses.increment();
            }
        }
        return joined(found, inSource, failures);
    }

    private FoundItems<V> joined(FoundItems<V> first, FoundItems<V> second, Map<String, MemcachedException> failures) {
        Map<String, V> hits = new LinkedHashMap<>();
        for (String key : command.keys()) {
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

    /**
     * Result of copying missing keys to the target fleet.
     *
     * @param there the keys whose item the target fleet has now
     * @param failures the failures of the keys whose copy failed
     */
    private record Copies(List<String> there, Map<String, MemcachedException> failures) {}

    private CompletableFuture<Copies> copyMissing(List<String> missing, Deadline deadline) {
        ConcurrentLinkedQueue<String> there = new ConcurrentLinkedQueue<>();
        Map<String, MemcachedException> failures = new ConcurrentHashMap<>();
        CompletableFuture<?>[] all = missing.stream()
                .map(key -> fleets.copyIfMissing(new ItemKey(key, false), deadline)
                        .handle((result, thrown) -> {
                            if (thrown == null) {
                                if (result != Result.ABSENT) {
                                    there.add(key);
                                }
                                return key;
                            }
                            MemcachedException failure = Fleets.known(thrown);
                            if (failure == null) {
                                throw new CompletionException(thrown);
                            }
                            failures.put(key, failure);
                            return key;
                        }))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all).thenApply(ended -> new Copies(List.copyOf(there), failures));
    }

    private CompletableFuture<FoundItems<V>> afterCopies(FoundItems<V> found, Copies copied, Deadline deadline) {
        Map<String, MemcachedException> failures = new LinkedHashMap<>(found.failures());
        failures.putAll(copied.failures);
        if (copied.there.isEmpty()) {
            return CompletableFuture.completedFuture(new FoundItems<>(found.hits(), found.tooLarge(), failures));
        }
        return new SentRead<>(fleets.target(), command.only(copied.there))
                .answer(deadline.left())
                .thenApply(again -> {
                    fleets.counters().sourceHits.add(again.hits().size());
                    failures.putAll(again.failures());
                    return joined(found, again, failures);
                });
    }
}
