// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.copies.SentRead;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Read of many items: from the local zone, then from the other zones in turn. Each other zone is queried for the keys
 * that have failed and, if the options say so, for those that have missed. A key whose value is too large is not read
 * again.
 *
 * <p>Threading: used by one thread at a time: the caller, then the threads that deliver the answers.
 */
final class ZoneReadMany<V> {

    private final Zones zones;
    private final MetaMultiGet<V> command;
    private final SentRead<V> own;

    private final Map<String, V> hits = new LinkedHashMap<>();
    private final List<String> tooLarge = new ArrayList<>();
    private final Set<String> missed = new HashSet<>();

    /** First failure of each key. At the end, only keys that no zone has answered remain. */
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    private final Set<String> missedByOwn = new HashSet<>();
    private final Map<String, Integer> served = new LinkedHashMap<>();
    private final Map<String, MemcachedException> zoneFailures = new LinkedHashMap<>();
    private int at;

    ZoneReadMany(Zones zones, MetaMultiGet<V> command) {
        this.zones = zones;
        this.command = command;
        own = new SentRead<>(zones.own().sender(), command);
    }

    CompletableFuture<FoundItems<V>> end(Deadline deadline) {
        if (command.effect() == Effect.READ_AND_TOUCH) {
            touchOthers(deadline);
        }
        return own.answer(deadline.share(zones.all().size()))
                .thenCompose(found -> take(command.keys(), found, deadline));
    }

    private void touchOthers(Deadline deadline) {
        for (Zone zone : zones.but(zones.own())) {
            for (Command<?> touch : command.touches()) {
                Reply<?> reply = zone.sender().send(touch);
                zones.reportFailureOf(zone, command.operation(), reply.toFuture(deadline.left()));
            }
        }
    }

    private CompletableFuture<FoundItems<V>> take(List<String> queried, FoundItems<V> found, Deadline deadline) {
        Zone zone = zones.all().get(at++);
        served.put(zone.name(), found.hits().size());
        hits.putAll(found.hits());
        tooLarge.addAll(found.tooLarge());
        List<String> next = new ArrayList<>();
        for (String key : queried) {
            MemcachedException failure = found.failures().get(key);
            if (failure != null) {
                zoneFailures.putIfAbsent(zone.name(), failure);
                failures.putIfAbsent(key, failure);
                if (CopiesSender.isOfServer(failure)) {
                    next.add(key);
                }
            } else if (found.hits().containsKey(key)) {
                if (missedByOwn.contains(key)) {
                    ZoneRead.copy(zones, new ItemKey(key, false), zone, deadline);
                }
            } else if (!found.tooLarge().contains(key)) {
                missed.add(key);
                if (zone.equals(zones.own())) {
                    missedByOwn.add(key);
                }
                next.add(key);
            }
        }
        if (!zones.options().readsOthersOnMiss()) {
            next.removeAll(missed);
        }
        return next.isEmpty() || at == zones.all().size() ? ended() : readNext(next, deadline);
    }

    private CompletableFuture<FoundItems<V>> readNext(List<String> keys, Deadline deadline) {
        return new SentRead<>(zones.all().get(at).sender(), command.only(keys))
                .answer(deadline.share(zones.all().size() - at))
                .thenCompose(found -> take(keys, found, deadline));
    }

    private CompletableFuture<FoundItems<V>> ended() {
        failures.keySet().removeAll(missed);
        failures.keySet().removeAll(hits.keySet());
        failures.keySet().removeAll(tooLarge);
        zones.report(command, served, zoneFailures, Set.of());
        return CompletableFuture.completedFuture(new FoundItems<>(hits, tooLarge, failures));
    }
}
