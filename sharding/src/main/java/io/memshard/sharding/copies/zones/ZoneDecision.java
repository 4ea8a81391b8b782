// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.concurrent.Futures;
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
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.copies.Quorum;
import io.memshard.sharding.copies.Quorum.Votes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Command about one item whose outcome depends on the item: one zone decides, and the others follow.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class ZoneDecision<T> {

    private final Zones zones;
    private final ItemCommand<T> command;
    private final BiFunction<ItemsCommand<?>, Phase, CommandContext> contexts;
    private final List<Zone> followers;

    ZoneDecision(Zones zones, ItemCommand<T> command, BiFunction<ItemsCommand<?>, Phase, CommandContext> contexts) {
        this.zones = zones;
        this.command = command;
        this.contexts = contexts;
        this.followers = zones.but(zones.decider());
    }

    /**
     * Sends the commands that follow the decision to the other zones. Returns the result of the whole.
     *
     * @param decision the reply of the zone that decides
     */
    CompletableFuture<T> end(Reply<@Nullable MetaReply> decision, Deadline deadline) {
        return Futures.compose(decision.toFuture(deadline.left()), (reply, thrown) -> {
            if (thrown != null) {
                return this.undecided(Futures.cause(thrown), deadline);
            }
            return ZoneWrite.isDone(reply) ? follow(reply, deadline) : unchanged(reply);
        });
    }

    /**
     * Fails the command. If it may have changed the item, deletes the copies in the other zones, which may be outdated,
     * except after {@code add} and {@code replace}.
     */
    private CompletableFuture<T> undecided(Throwable thrown, Deadline deadline) {
        if (thrown instanceof MemcachedException failure) {
            zones.report(command, Map.of(), Map.of(zones.decider().name(), failure), Set.of());
            if (isUnknown(failure) && command.effect() != Effect.STORE_IF) {
                remove(deadline.anew());
            }
        }
        return CompletableFuture.failedFuture(thrown);
    }

    private static boolean isUnknown(MemcachedException failure) {
        CommandContext context = failure.context();
        return context != null && (context.phase() == Phase.WRITTEN || context.phase() == Phase.AWAITING_REPLY);
    }

    private CompletableFuture<T> unchanged(@Nullable MetaReply reply) {
        zones.report(command, Map.of(zones.decider().name(), 1), Map.of(), Set.of());
        return CompletableFuture.completedFuture(command.resultOf(reply));
    }

    private CompletableFuture<T> follow(@Nullable MetaReply reply, Deadline deadline) {
        Quorum<?> quorum = command.effect() == Effect.STORE_IF ? repeat(deadline) : remove(deadline);
        return quorum.decided().thenApply(votes -> result(reply, votes));
    }

    private boolean isEnough(Votes<?> followed) {
        return zones.isEnough(followed.done().size() + 1, followed);
    }

    private Quorum<@Nullable MetaReply> repeat(Deadline deadline) {
        Map<String, CompletableFuture<@Nullable MetaReply>> answers =
                ZoneWrite.answers(ZoneWrite.send(command, followers), deadline);
        Quorum<@Nullable MetaReply> quorum = Quorum.of(answers, this::isEnough);
        ZoneWrite.reportFailureOf(zones, command, answers, quorum.decided());
        return quorum;
    }

    /** Deletes the item in the other zones; twice if {@link ZoneWrite} would delete twice. */
    private Quorum<StoreStatus> remove(Deadline deadline) {
        Map<String, CompletableFuture<StoreStatus>> answers = deletes(deadline);
        if (zones.options().addsOnMiss()) {
            Quorum<StoreStatus> first = Quorum.of(answers, votes -> false);
            Map<String, CompletableFuture<StoreStatus>> both = new LinkedHashMap<>();
            Map<String, CompletableFuture<StoreStatus>> onceDeleted = answers;
            CompletableFuture<Map<String, CompletableFuture<StoreStatus>>> second = first.ended()
                    .thenApply(once -> {
                        Map<String, CompletableFuture<StoreStatus>> again =
                                deletes(deadline.isOver() ? deadline.anew() : deadline);
                        // After a failure there is no time to wait for the second deletes.
                        return once.failures().isEmpty() ? again : onceDeleted;
                    });
            answers.forEach((zone, once) -> both.put(
                    zone, once.thenCompose(status -> second.thenCompose(again -> again.getOrDefault(zone, once)))));
            answers = both;
        }
        Quorum<StoreStatus> quorum = Quorum.of(answers, this::isEnough);
        ZoneWrite.reportFailureOf(zones, command, answers, quorum.decided());
        return quorum;
    }

    private Map<String, CompletableFuture<StoreStatus>> deletes(Deadline deadline) {
        ItemKey key = ItemKey.of(command);
        Map<Zone, Reply<StoreStatus>> sent = new LinkedHashMap<>();
        followers.forEach(zone -> sent.put(zone, zone.sender().send(key.delete())));
        return ZoneWrite.answers(sent, deadline);
    }

    private T result(@Nullable MetaReply reply, Votes<?> votes) {
        Set<String> done = new LinkedHashSet<>(Set.of(zones.decider().name()));
        done.addAll(votes.done().keySet());
        Map<String, Integer> served = new LinkedHashMap<>();
        done.forEach(zone -> served.put(zone, 1));
        zones.report(command, served, votes.failures(), votes.pending());
        if (done.size() < zones.required()) {
            throw zones.tooFew(done, votes.failures(), contexts.apply(command, Phase.REPLIED));
        }
        return command.resultOf(reply);
    }
}
