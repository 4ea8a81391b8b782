// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.Quorum;
import io.memshard.sharding.copies.Quorum.Votes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Store, delete, touch or invalidation of one item in all zones.
 *
 * <p>If reads copy items into the own zone, each delete or invalidation is sent twice, the second time when every zone
 * has answered or failed. A copy that won its claim before the second delete loses the claim. A copy that wins its
 * claim later finds nothing to copy.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class ZoneWrite<T> {

    private final Zones zones;
    private final ItemCommand<T> command;
    private final BiFunction<ItemsCommand<?>, Phase, CommandContext> contexts;
    private final Map<Zone, Reply<@Nullable MetaReply>> sent;

    ZoneWrite(Zones zones, ItemCommand<T> command, BiFunction<ItemsCommand<?>, Phase, CommandContext> contexts) {
        this.zones = zones;
        this.command = command;
        this.contexts = contexts;
        this.sent = send(command, zones.all());
    }

    static Map<Zone, Reply<@Nullable MetaReply>> send(ItemCommand<?> command, List<Zone> zones) {
        Map<Zone, Reply<@Nullable MetaReply>> sent = new LinkedHashMap<>();
        zones.forEach(zone -> sent.put(zone, zone.sender().send(command.raw())));
        return sent;
    }

    /** Returns the answers to the sent commands, by zone. */
    static <R extends @Nullable Object> Map<String, CompletableFuture<R>> answers(
            Map<Zone, Reply<R>> sent, Deadline deadline) {
        Map<String, CompletableFuture<R>> answers = new LinkedHashMap<>();
        sent.forEach((zone, reply) -> answers.put(zone.name(), reply.toFuture(deadline.left())));
        return answers;
    }

    CompletableFuture<T> end(Deadline deadline) {
        Map<String, CompletableFuture<@Nullable MetaReply>> answers = answers(sent, deadline);
        Quorum<@Nullable MetaReply> quorum =
                Quorum.of(answers, votes -> zones.isEnough(votes.done().size(), votes));
        reportFailureOf(zones, command, answers, quorum.decided());
        return twice(quorum, deadline).thenApply(this::result);
    }

    /** Returns the answers. If a second delete is sent, waits for it unless the first delete has failed in a zone. */
    private CompletableFuture<Votes<@Nullable MetaReply>> twice(Quorum<@Nullable MetaReply> first, Deadline deadline) {
        boolean removes = command.effect() == Effect.DELETE || command.effect() == Effect.INVALIDATE;
        if (!removes || !zones.options().addsOnMiss()) {
            return first.decided();
        }
        CompletableFuture<Votes<@Nullable MetaReply>> second = first.ended().thenCompose(once -> {
            Deadline rest = deadline.isOver() ? deadline.anew() : deadline;
            Map<String, CompletableFuture<@Nullable MetaReply>> answers = answers(send(command, zones.all()), rest);
            return Quorum.of(answers, votes -> false)
                    .ended()
                    .thenApply(again -> new Votes<>(done(once, again), failures(once, again), again.pending()));
        });
        return first.decided().thenCompose(once -> once.failures().isEmpty() ? second : first.decided());
    }

    /**
     * Returns the reply to the first delete for each zone that executed both. The second delete finds nothing to
     * delete, so its reply is of no use.
     */
    private static Map<String, @Nullable MetaReply> done(
            Votes<@Nullable MetaReply> once, Votes<@Nullable MetaReply> again) {
        Map<String, @Nullable MetaReply> both = new LinkedHashMap<>(once.done());
        both.keySet().retainAll(again.done().keySet());
        return both;
    }

    private static Map<String, MemcachedException> failures(Votes<?> once, Votes<?> again) {
        Map<String, MemcachedException> both = new LinkedHashMap<>(again.failures());
        both.putAll(once.failures());
        return both;
    }

    private T result(Votes<@Nullable MetaReply> votes) {
        Map<String, Integer> served = new LinkedHashMap<>();
        votes.done().keySet().forEach(zone -> served.put(zone, 1));
        zones.report(command, served, votes.failures(), votes.pending());
        if (votes.done().size() < zones.required()) {
            throw zones.tooFew(votes.done().keySet(), votes.failures(), contexts.apply(command, Phase.AWAITING_REPLY));
        }
        String resultZone = zones.resultZone(
                votes.done().keySet(), zone -> isDone(votes.done().get(zone)));
        return command.resultOf(votes.done().get(resultZone));
    }

    static boolean isDone(@Nullable MetaReply reply) {
        return reply != null && reply.status() == StoreStatus.DONE;
    }

    /** Reports to the listener the failures that come after the result. */
    static <R extends @Nullable Object> void reportFailureOf(
            Zones zones,
            ItemsCommand<?> command,
            Map<String, CompletableFuture<R>> answers,
            CompletableFuture<Votes<R>> decided) {
        zones.all().forEach(zone -> {
            CompletableFuture<R> answer = answers.get(zone.name());
            if (answer != null) {
                zones.reportFailureOf(
                        zone,
                        command.operation(),
                        decided.thenCompose(votes -> votes.pending().contains(zone.name())
                                ? answer.<@Nullable Object>thenApply(reply -> null)
                                : CompletableFuture.<@Nullable Object>completedFuture(null)));
            }
        });
    }
}
