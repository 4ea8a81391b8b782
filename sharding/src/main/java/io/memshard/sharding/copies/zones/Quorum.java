// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.sharding.copies.Answer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Answers of several zones to one write. Thread-safe. */
final class Quorum {

    /** Answers by zone and key, and the zones that have not answered yet. */
    record Votes(Map<String, Map<String, Answer>> answers, Set<String> pending) {

        Map<String, Answer> done(String key) {
            Map<String, Answer> done = new LinkedHashMap<>();
            answers.forEach((zone, answer) -> {
                Answer about = answer.get(key);
                if (about != null && about.failure() == null) {
                    done.put(zone, about);
                }
            });
            return done;
        }

        Map<String, MemcachedException> failures(String key) {
            Map<String, MemcachedException> failures = new LinkedHashMap<>();
            answers.forEach((zone, answer) -> {
                Answer about = answer.get(key);
                if (about != null && about.failure() != null) {
                    failures.put(zone, about.failure());
                }
            });
            return failures;
        }
    }

    private final Predicate<Votes> isEnough;
    private final CompletableFuture<Votes> decided;
    private final CompletableFuture<Votes> ended;

    // Guarded by this: all fields below.
    private final Map<String, Map<String, Answer>> answers = new LinkedHashMap<>();
    private final Set<String> pending;

    Quorum(Map<String, CompletableFuture<Map<String, Answer>>> sent, Predicate<Votes> isEnough) {
        this.isEnough = isEnough;
        this.pending = new LinkedHashSet<>(sent.keySet());
        CompletableFuture<?> maker = sent.values().iterator().next();
        decided = maker.newIncompleteFuture();
        ended = maker.newIncompleteFuture();
        sent.forEach((zone, answer) -> Futures.atEnd(answer, (each, thrown) -> take(zone, each, thrown), this::fail));
    }

    CompletableFuture<Votes> decided() {
        return decided;
    }

    CompletableFuture<Votes> ended() {
        return ended;
    }

    private void take(String zone, Map<String, Answer> answer, @Nullable Throwable thrown) {
        if (thrown != null) {
            fail(Futures.cause(thrown));
            return;
        }
        Votes votes;
        synchronized (this) {
            pending.remove(zone);
            answers.put(zone, answer);
            votes = new Votes(
                    Collections.unmodifiableMap(new LinkedHashMap<>(answers)),
                    Collections.unmodifiableSet(new LinkedHashSet<>(pending)));
        }
        boolean isOver = votes.pending.isEmpty();
        if (isOver || isEnough.test(votes)) {
            decided.complete(votes);
        }
        if (isOver) {
            ended.complete(votes);
        }
    }

    private void fail(Throwable thrown) {
        decided.completeExceptionally(thrown);
        ended.completeExceptionally(thrown);
    }
}
