// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.Quorum;
import io.memshard.sharding.copies.Quorum.Votes;
import io.memshard.sharding.copies.SentWrite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stores or deletes of many items in all zones, each acknowledged separately. Deletes are sent twice in the same cases
 * as in {@link ZoneWrite}.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class ZoneWriteMany {

    private final Zones zones;
    private final MetaMultiWrite command;
    private final Map<Zone, SentWrite> sent;

    ZoneWriteMany(Zones zones, MetaMultiWrite command) {
        this.zones = zones;
        this.command = command;
        this.sent = send();
    }

    private Map<Zone, SentWrite> send() {
        Map<Zone, SentWrite> all = new LinkedHashMap<>();
        zones.all().forEach(zone -> all.put(zone, new SentWrite(zone.sender(), command)));
        return all;
    }

    private static Map<String, CompletableFuture<Outcomes>> answers(Map<Zone, SentWrite> sent, Deadline deadline) {
        Map<String, CompletableFuture<Outcomes>> answers = new LinkedHashMap<>();
        sent.forEach((zone, write) -> answers.put(zone.name(), write.answer(deadline.left())));
        return answers;
    }

    CompletableFuture<Outcomes> end(Deadline deadline) {
        Map<String, CompletableFuture<Outcomes>> answers = answers(sent, deadline);
        Quorum<Outcomes> quorum = Quorum.of(answers, this::isEnough);
        reportFailureOf(answers, quorum.decided());
        if (command.effect() != Effect.DELETE || !zones.options().addsOnMiss()) {
            return quorum.decided().thenApply(votes -> result(votes.done(), votes.pending()));
        }
        CompletableFuture<Votes<Outcomes>> second = quorum.ended().thenCompose(once -> {
            Deadline rest = deadline.isOver() ? deadline.anew() : deadline;
            return Quorum.of(answers(send(), rest), votes -> false)
                    .ended()
                    .thenApply(again -> new Votes<>(both(once.done(), again.done()), Map.of(), again.pending()));
        });
        return quorum.decided()
                .thenCompose(votes -> isEnough(votes) ? second : CompletableFuture.completedFuture(votes))
                .thenApply(votes -> result(votes.done(), votes.pending()));
    }

    /** Returns the first outcome of each key, or the second one if the second delete of the key has failed. */
    private static Map<String, Outcomes> both(Map<String, Outcomes> once, Map<String, Outcomes> again) {
        Map<String, Outcomes> both = new LinkedHashMap<>();
        once.forEach((zone, first) -> {
            Outcomes second = again.get(zone);
            List<Outcome> each = new ArrayList<>();
            for (int i = 0; i < first.each().size(); i++) {
                Outcome repeated = second == null ? null : second.each().get(i);
                each.add(repeated == null || repeated.isDone() ? first.each().get(i) : repeated);
            }
            both.put(zone, new Outcomes(each, false));
        });
        return both;
    }

    private boolean isEnough(Votes<Outcomes> votes) {
        for (int i = 0; i < command.keyCount(); i++) {
            int at = i;
            long acknowledged = votes.done().values().stream()
                    .filter(outcomes ->
                            !outcomes.undecided() && outcomes.each().get(at).isDone())
                    .count();
            if (!zones.isEnough(Math.toIntExact(acknowledged), votes)) {
                return false;
            }
        }
        return true;
    }

    private Outcomes result(Map<String, Outcomes> answers, Set<String> pending) {
        Map<String, Integer> served = new LinkedHashMap<>();
        Map<String, MemcachedException> zoneFailures = new LinkedHashMap<>();
        List<Outcome> each = new ArrayList<>();
        answers.keySet().forEach(zone -> served.put(zone, 0));
        boolean undecided = answers.values().stream().anyMatch(Outcomes::undecided);
        for (int i = 0; i < command.keyCount(); i++) {
            each.add(outcome(i, answers, served, zoneFailures));
        }
        zones.report(command, served, zoneFailures, pending);
        return new Outcomes(each, undecided);
    }

    /** Returns the outcome of a key in {@link Zones#resultZone} if enough zones have succeeded, else a failure. */
    private Outcome outcome(
            int index,
            Map<String, Outcomes> answers,
            Map<String, Integer> served,
            Map<String, MemcachedException> zoneFailures) {
        String key = command.writes().get(index).key();
        Map<String, Outcome> done = new LinkedHashMap<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        Outcome refused = null;
        for (Map.Entry<String, Outcomes> answer : answers.entrySet()) {
            Outcome outcome = answer.getValue().each().get(index);
            if (outcome.isDone()) {
                done.put(answer.getKey(), outcome);
                served.merge(answer.getKey(), 1, Integer::sum);
            } else {
                MemcachedException failure = failure(outcome, key);
                failures.put(answer.getKey(), failure);
                zoneFailures.putIfAbsent(answer.getKey(), failure);
                refused = outcome.error() != null && !CopiesSender.isOfServer(failure) ? outcome : refused;
            }
        }
        if (done.size() >= zones.required()) {
            String resultZone = zones.resultZone(done.keySet(), zone -> statusIn(zone, done) == StoreStatus.DONE);
            return Objects.requireNonNull(done.get(resultZone), resultZone);
        }
        return refused != null
                ? refused
                : Outcome.failed(zones.tooFew(done.keySet(), failures, context(key, Phase.AWAITING_REPLY)));
    }

    private static @Nullable StoreStatus statusIn(String zone, Map<String, Outcome> done) {
        Outcome outcome = done.get(zone);
        return outcome == null ? null : outcome.status();
    }

    private MemcachedException failure(Outcome outcome, String key) {
        MemcachedException failure = outcome.failure();
        ErrorReply error = outcome.error();
        if (failure != null) {
            return failure;
        }
        if (error == null) {
            throw new IllegalStateException("an outcome has no status, error or failure");
        }
        return error.toException(context(key, Phase.REPLIED));
    }

    private CommandContext context(@Nullable String key, Phase phase) {
        return zones.own().sender().context(command.verb(), key, phase);
    }

    /** Reports to the listener the zones that fail after the result. */
    @SuppressWarnings("FutureReturnValueIgnored") // No stage depends on the result.
    private void reportFailureOf(
            Map<String, CompletableFuture<Outcomes>> answers, CompletableFuture<Votes<Outcomes>> decided) {
        ZoneWrite.reportFailureOf(zones, command, answers, decided);
        zones.all()
                .forEach(zone -> decided.thenAccept(votes -> {
                    CompletableFuture<Outcomes> answer = answers.get(zone.name());
                    if (answer != null && votes.pending().contains(zone.name())) {
                        zones.reportFailureOf(zone, command.operation(), answer.thenAccept(this::throwFirst));
                    }
                }));
    }

    private void throwFirst(Outcomes late) {
        for (int i = 0; i < late.each().size(); i++) {
            if (!late.each().get(i).isDone()) {
                throw failure(late.each().get(i), command.writes().get(i).key());
            }
        }
    }
}
