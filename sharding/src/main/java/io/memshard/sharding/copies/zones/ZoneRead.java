// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.CopyRead;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Read of one item or of many items: from the client's own zone, then from the other zones in turn. Each other zone is
 * queried for the keys that have failed and, if the options say so, for the keys that have missed. A key whose value is
 * too large, or whose failure another server would repeat, is not read from another zone.
 *
 * <p>Threading: used by one thread at a time: the caller, then the threads that deliver the answers.
 */
final class ZoneRead<V> {

    private final Zones zones;
    private final CopyRead<V> read;

    private final Map<String, V> hits = new LinkedHashMap<>();
    private final List<String> tooLarge = new ArrayList<>();
    private final Set<String> missed = new HashSet<>();
    private final Set<String> missedByOwn = new HashSet<>();

    /** First failure of each key, or the failure that ended the read of the key. */
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    private final Map<String, Integer> served = new LinkedHashMap<>();
    private final Map<String, MemcachedException> zoneFailures = new LinkedHashMap<>();

    private int at;

    ZoneRead(Zones zones, CopyRead<V> read) {
        this.zones = zones;
        this.read = read;
    }

    CompletableFuture<FoundItems<V>> end(CopyRead.Sent<V> own, Deadline deadline) {
        if (read.command().effect() == Effect.READ_AND_TOUCH) {
            touchOthers(deadline);
        }
        return own.answer(deadline.share(zones.all().size())).thenCompose(found -> take(read.keys(), found, deadline));
    }

    private void touchOthers(Deadline deadline) {
        for (Zone zone : zones.but(zones.own())) {
            for (Command<?> touch : read.touches()) {
                Reply<?> reply = zone.sender().send(touch);
                zones.reportFailureOf(zone.name(), read.command().operation(), reply.toFuture(deadline.left()));
            }
        }
    }

    CompletableFuture<FoundItems<V>> take(List<String> queried, FoundItems<V> found, Deadline deadline) {
        Zone zone = zones.all().get(at++);
        if (found.failures().size() < queried.size()) {
            served.put(zone.name(), found.hits().size());
        }
        hits.putAll(found.hits());
        tooLarge.addAll(found.tooLarge());
        List<String> next = new ArrayList<>();
        for (String key : queried) {
            MemcachedException failure = found.failures().get(key);
            if (failure != null) {
                zoneFailures.putIfAbsent(zone.name(), failure);
                if (CopiesSender.isOfServer(failure)) {
                    failures.putIfAbsent(key, failure);
                    next.add(key);
                } else {
                    failures.put(key, failure);
                    missed.remove(key);
                }
            } else if (found.hits().containsKey(key)) {
                if (missedByOwn.contains(key)) {
                    copy(key, zone, deadline);
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
        return read.send(zones.all().get(at).sender(), keys)
                .answer(deadline.share(zones.all().size() - at))
                .thenCompose(found -> take(keys, found, deadline));
    }

    private CompletableFuture<FoundItems<V>> ended() {
        failures.keySet().removeAll(missed);
        failures.keySet().removeAll(hits.keySet());
        failures.keySet().removeAll(tooLarge);
        if (read.keys().size() == 1) {
            failures.values()
                    .forEach(failure -> zoneFailures.values().forEach(other -> Futures.suppress(other, failure)));
        }
        zones.report(read.command(), served, zoneFailures, Set.of());
        return CompletableFuture.completedFuture(new FoundItems<>(hits, tooLarge, failures));
    }

    private void copy(String key, Zone from, Deadline deadline) {
        if (zones.options().addsOnMiss()) {
            zones.copies()
                    .start(
                            read.itemKey(key),
                            from.sender(),
                            zones.own().sender(),
                            deadline.anew(),
                            (ItemCopier.Result result) -> {},
                            thrown -> zones.reportLate(zones.own().name(), "copy", thrown));
        }
    }
}
