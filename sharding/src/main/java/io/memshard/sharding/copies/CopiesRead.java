// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.FoundItems;
import io.memshard.sharding.copies.Copies.Copy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Read from the first copy of the data, then from the other copies in turn. Used by one thread at a time. */
public final class CopiesRead<V> {

    private final Copies copies;
    private final CopyRead<V> read;

    private final Map<String, V> hits = new LinkedHashMap<>();
    private final Set<String> missed = new HashSet<>();
    private final Set<String> missedByFirst = new HashSet<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();
    private final Map<String, Integer> served = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failuresByCopy = new LinkedHashMap<>();

    private int failedSteps;
    private int at;

    public CopiesRead(Copies copies, CopyRead<V> read) {
        this.copies = copies;
        this.read = read;
    }

    public CompletableFuture<FoundItems<V>> end(Sent<FoundItems<V>> toFirst, Deadline deadline) {
        return toFirst.end(deadline.share(copies.inOrder().size()))
                .thenCompose(found -> take(read.keys(), found, deadline));
    }

    CompletableFuture<FoundItems<V>> take(List<String> queried, FoundItems<V> found, Deadline deadline) {
        Copy copy = copies.inOrder().get(at++);
        if (found.failures().size() < queried.size()) {
            served.put(copy.name(), found.hits().size());
        }
        failedSteps += found.failures().size();
        hits.putAll(found.hits());
        List<String> next = new ArrayList<>();
        for (String key : queried) {
            MemcachedException failure = found.failures().get(key);
            if (failure != null) {
                failuresByCopy.putIfAbsent(copy.name(), failure);
                if (CopiesSender.isOfServer(failure)) {
                    failures.putIfAbsent(key, failure);
                    addIfReadNext(key, next);
                } else {
                    failures.put(key, failure);
                    missed.remove(key);
                }
            } else if (found.hits().containsKey(key)) {
                if (missedByFirst.contains(key)) {
                    copies.addToFirst(read.itemKey(key), copy, deadline);
                }
            } else {
                missed.add(key);
                if (at == 1) {
                    missedByFirst.add(key);
                }
                addIfReadNext(key, next);
            }
        }
        return next.isEmpty() || at == copies.inOrder().size() ? ended() : readNext(next, deadline);
    }

    private void addIfReadNext(String key, List<String> next) {
        if (copies.differs(key) && (!missed.contains(key) || copies.rules().readsOthersOnMiss())) {
            next.add(key);
        }
    }

    private CompletableFuture<FoundItems<V>> readNext(List<String> keys, Deadline deadline) {
        return read.send(copies.inOrder().get(at).sender(), keys)
                .end(deadline.share(copies.inOrder().size() - at))
                .thenCompose(found -> take(keys, found, deadline));
    }

    private CompletableFuture<FoundItems<V>> ended() {
        missed.removeAll(hits.keySet());
        failures.keySet().removeAll(hits.keySet());
        if (copies.rules().isMissDespiteFailure()) {
            failures.keySet().removeAll(missed);
        } else {
            missed.removeAll(failures.keySet());
        }
        if (read.keys().size() == 1) {
            failures.values()
                    .forEach(failure -> failuresByCopy.values().forEach(other -> Futures.suppress(other, failure)));
        }
        copies.ended(read.command(), served, failuresByCopy, missed.size(), failedSteps);
        FoundItems<V> found = new FoundItems<>(hits, failures);
        return CompletableFuture.completedFuture(at == 1 ? found : CopyRead.merged(read.keys(), List.of(found)));
    }
}
