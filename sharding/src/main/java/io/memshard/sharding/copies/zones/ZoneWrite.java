// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Effect;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.copies.Answer;
import io.memshard.sharding.copies.Copies.Copy;
import io.memshard.sharding.copies.CopyWrite;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.Sent;
import io.memshard.sharding.copies.zones.Quorum.Votes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Write in all zones. Immutable.
 *
 * <p>If {@code addsOnMiss} is set, each delete or invalidation is sent again when every zone has answered or failed.
 * After the second delete, the zones reject copies that began earlier. Copies that begin later find no item.
 */
final class ZoneWrite<R> {

    private final Zones zones;
    private final CopyWrite<R> write;
    private final Function<String, CommandContext> contexts;
    private final boolean isDecided;
    private final Map<String, Sent<Map<String, Answer>>> sent;

    ZoneWrite(Zones zones, CopyWrite<R> write, Function<String, CommandContext> contexts, boolean isDecided) {
        this.zones = zones;
        this.write = write;
        this.contexts = contexts;
        this.isDecided = isDecided;
        this.sent = send(isDecided ? List.of(zones.decider()) : zones.inOrder(), write::send);
    }

    private static Map<String, Sent<Map<String, Answer>>> send(
            List<Copy> to, Function<CommandSender, Sent<Map<String, Answer>>> write) {
        Map<String, Sent<Map<String, Answer>>> sent = new LinkedHashMap<>();
        to.forEach(zone -> sent.put(zone.name(), write.apply(zone.sender())));
        return sent;
    }

    CompletableFuture<R> end(Deadline deadline) {
        if (isDecided) {
            Sent<Map<String, Answer>> decision =
                    Objects.requireNonNull(sent.get(zones.decider().name()));
            return decision.end(deadline).thenCompose(answer -> afterDecision(answer, deadline));
        }
        boolean removes = effect() == Effect.DELETE || effect() == Effect.INVALIDATE;
        return collect(sent, removes ? () -> send(zones.inOrder(), write::send) : null, deadline)
                .thenApply(votes -> result(votes, null));
    }

    private Effect effect() {
        return write.command().effect();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The write fails without a wait for the zones that follow.
    private CompletableFuture<R> afterDecision(Map<String, Answer> decision, Deadline deadline) {
        String decider = zones.decider().name();
        Answer answer = decision.values().iterator().next();
        if (answer.hasChanged()) {
            return follow(decision, deadline).thenApply(votes -> result(votes, decider));
        }
        MemcachedException failure = answer.failure();
        zones.report(
                write.command(),
                failure == null ? Map.of(decider, 1) : Map.of(),
                failure == null ? Map.of() : Map.of(decider, failure),
                Set.of());
        if (effect() != Effect.STORE_IF && isUnknown(failure)) {
            follow(decision, deadline.anew());
        }
        return CompletableFuture.completedFuture(write.result(decision));
    }

    private static boolean isUnknown(@Nullable MemcachedException failure) {
        CommandContext context = failure == null ? null : failure.context();
        return context != null && (context.phase() == Phase.WRITTEN || context.phase() == Phase.AWAITING_REPLY);
    }

    private CompletableFuture<Votes> follow(Map<String, Answer> decision, Deadline deadline) {
        boolean repeats = effect() == Effect.STORE_IF;
        Supplier<Map<String, Sent<Map<String, Answer>>>> send = () -> {
            Map<String, Sent<Map<String, Answer>>> all = new LinkedHashMap<>();
            all.put(zones.decider().name(), any -> CompletableFuture.completedFuture(decision));
            all.putAll(send(
                    zones.but(zones.decider()),
                    repeats ? write::send : follower -> write.delete(follower, write.keys())));
            return all;
        };
        return collect(send.get(), repeats ? null : send, deadline);
    }

    private CompletableFuture<Votes> collect(
            Map<String, Sent<Map<String, Answer>>> first,
            @Nullable Supplier<Map<String, Sent<Map<String, Answer>>>> again,
            Deadline deadline) {
        Map<String, CompletableFuture<Map<String, Answer>>> answers = answers(first, deadline);
        Quorum quorum = new Quorum(answers, this::isEnough);
        answers.forEach((zone, answer) -> zones.reportFailureOf(
                zone,
                write.command().operation(),
                quorum.decided()
                        .thenCompose(votes -> votes.pending().contains(zone)
                                ? answer.thenAccept(ZoneWrite::throwFirst)
                                : CompletableFuture.completedFuture(null))));
        if (again == null || !zones.options().addsOnMiss()) {
            return quorum.decided();
        }
        CompletableFuture<Votes> second = quorum.ended().thenCompose(once -> {
            Deadline rest = deadline.isOver() ? deadline.anew() : deadline;
            return new Quorum(answers(again.get(), rest), votes -> false)
                    .ended()
                    .thenApply(twice -> both(once, twice));
        });
        return quorum.decided()
                .thenCompose(votes -> isEnough(votes) ? second : CompletableFuture.completedFuture(votes));
    }

    private static Map<String, CompletableFuture<Map<String, Answer>>> answers(
            Map<String, Sent<Map<String, Answer>>> sent, Deadline deadline) {
        Map<String, CompletableFuture<Map<String, Answer>>> answers = new LinkedHashMap<>();
        sent.forEach((zone, each) -> answers.put(zone, each.end(deadline)));
        return answers;
    }

    private static void throwFirst(Map<String, Answer> answers) {
        for (Answer answer : answers.values()) {
            if (answer.failure() != null) {
                throw answer.failure();
            }
        }
    }

    private boolean isEnough(Votes votes) {
        return !votes.pending().contains(zones.first().name())
                && !votes.pending().contains(zones.decider().name())
                && write.keys().stream().allMatch(key -> votes.done(key).size() >= zones.required());
    }

    private static Votes both(Votes once, Votes twice) {
        Map<String, Map<String, Answer>> both = new LinkedHashMap<>();
        once.answers().forEach((zone, first) -> {
            Map<String, Answer> answers = new HashMap<>(first);
            twice.answers().getOrDefault(zone, Map.of()).forEach((key, answer) -> {
                if (answer.failure() != null) {
                    answers.put(key, answer);
                }
            });
            both.put(zone, answers);
        });
        return new Votes(both, Set.of());
    }

    private R result(Votes votes, @Nullable String decider) {
        Map<String, Integer> served = new LinkedHashMap<>();
        Map<String, MemcachedException> zoneFailures = new LinkedHashMap<>();
        Map<String, Answer> results = new HashMap<>();
        for (String key : write.keys()) {
            Map<String, Answer> done = votes.done(key);
            Map<String, MemcachedException> failures = votes.failures(key);
            done.keySet().forEach(zone -> served.merge(zone, 1, Integer::sum));
            failures.forEach(zoneFailures::putIfAbsent);
            results.put(
                    key,
                    done.size() < zones.required()
                            ? Answer.failed(zones.tooFew(done.keySet(), failures, contexts.apply(key)))
                            : Objects.requireNonNull(done.get(decider != null ? decider : zones.resultZone(done))));
        }
        zones.report(write.command(), served, zoneFailures, votes.pending());
        return write.result(results);
    }
}
