// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier.Result;
import io.memshard.sharding.copies.ItemKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Read for which the deciding zone may choose the caller to load the value. If {@code addsOnMiss} is set and another
 * zone has a value, the chosen caller gets that value instead of loading. The value then replaces the placeholder.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class ZoneClaim<T> {

    private final Zones zones;
    private final ItemCommand<T> command;
    private final Reply<@Nullable MetaReply> sent;

    ZoneClaim(Zones zones, ItemCommand<T> command) {
        this.zones = zones;
        this.command = command;
        this.sent = zones.decider().sender().send(command.raw());
    }

    CompletableFuture<T> end(Deadline deadline) {
        return Futures.compose(sent.toFuture(deadline.share(zones.all().size())), (reply, thrown) -> {
            Throwable cause = thrown == null ? null : Futures.cause(thrown);
            if (cause == null) {
                return answered(reply, deadline);
            }
            return cause instanceof MemcachedException failure
                    ? fallBackToOtherZones(failure, deadline)
                    : CompletableFuture.<T>failedFuture(cause);
        });
    }

    private CompletableFuture<T> answered(@Nullable MetaReply reply, Deadline deadline) {
        zones.report(command, Map.of(zones.decider().name(), hasValue(reply) ? 1 : 0), Map.of(), Set.of());
        if (reply != null
                && zones.options().addsOnMiss()
                && reply.has('W')
                && !reply.has('X')
                && reply.isPlaceholder()
                && reply.number('c') != 0) {
            return fill(reply, zones.but(zones.decider()), 0, deadline);
        }
        return CompletableFuture.completedFuture(command.resultOf(reply));
    }

    private CompletableFuture<T> fill(MetaReply won, List<Zone> others, int at, Deadline deadline) {
        if (at == others.size()) {
            return CompletableFuture.completedFuture(command.resultOf(won));
        }
        Zone zone = others.get(at);
        ItemKey key = ItemKey.of(command);
        return Futures.compose(
                zones.copier()
                        .read(key, zone.sender(), deadline)
                        .thenCompose(item -> item == null
                                ? CompletableFuture.completedFuture(Result.ABSENT)
                                : zones.copier()
                                        .fill(
                                                key,
                                                won.number('c'),
                                                item,
                                                zones.decider().sender(),
                                                deadline)),
                (result, thrown) -> {
                    if (result == Result.COPIED || result == Result.REFUSED) {
                        return again(deadline);
                    }
                    zones.reportLate(zone.name(), command.operation(), thrown);
                    return fill(won, others, at + 1, deadline);
                });
    }

    private CompletableFuture<T> again(Deadline deadline) {
        return zones.decider().sender().send(command.again()).toFuture(deadline.left());
    }

    private static boolean hasValue(@Nullable MetaReply reply) {
        return reply != null && reply.data() != null && !reply.isPlaceholder();
    }

    /** Completes the read with a value of another zone that is not stale; fails if no other zone has such a value. */
    private CompletableFuture<T> fallBackToOtherZones(MemcachedException failure, Deadline deadline) {
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        failures.put(zones.decider().name(), failure);
        return CopiesSender.isOfServer(failure)
                ? readOther(zones.but(zones.decider()), 0, failure, failures, deadline)
                : ended(failure, failures);
    }

    private CompletableFuture<T> readOther(
            List<Zone> others,
            int at,
            MemcachedException first,
            Map<String, MemcachedException> failures,
            Deadline deadline) {
        Command<@Nullable MetaReply> plain = at < others.size() ? command.plainRead() : null;
        if (plain == null) {
            return ended(first, failures);
        }
        Zone zone = others.get(at);
        return Futures.compose(
                zone.sender().send(plain).toFuture(deadline.share(others.size() - at)), (reply, thrown) -> {
                    if (reply != null && hasValue(reply) && !reply.has('X')) {
                        zones.report(command, Map.of(zone.name(), 1), failures, Set.of());
                        return CompletableFuture.completedFuture(command.resultOf(reply));
                    }
                    if (thrown != null && Futures.cause(thrown) instanceof MemcachedException failure) {
                        failures.put(zone.name(), failure);
                    }
                    return readOther(others, at + 1, first, failures, deadline);
                });
    }

    private CompletableFuture<T> ended(MemcachedException failure, Map<String, MemcachedException> failures) {
        failures.values().forEach(other -> Futures.suppress(other, failure));
        zones.report(command, Map.of(), failures, Set.of());
        return CompletableFuture.failedFuture(failure);
    }
}
