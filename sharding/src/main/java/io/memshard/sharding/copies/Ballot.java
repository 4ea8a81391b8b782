// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the answers of several places to one write, until there are enough or all have ended.
 *
 * <p>Threading: thread-safe. Its futures are completed by the thread that brings the answer that counts.
 */
public final class Ballot<R extends @Nullable Object> {

    /**
     * Answers so far, at some moment.
     *
     * @param done the answers, by place, in the order in which they came
     * @param failures the places that have failed
     * @param pending the places that have not answered yet
     */
    public record Tally<R extends @Nullable Object>(
            Map<String, R> done, Map<String, MemcachedException> failures, Set<String> pending) {}

    private final Predicate<? super Tally<R>> isEnough;
    private final CompletableFuture<Tally<R>> decided = new CompletableFuture<>();
    private final CompletableFuture<Tally<R>> ended = new CompletableFuture<>();

    // Guarded by this, all of the following.
    private final Map<String, R> done = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();
    private final Set<String> pending;

    private Ballot(Set<String> places, Predicate<? super Tally<R>> isEnough) {
        this.isEnough = isEnough;
        this.pending = new LinkedHashSet<>(places);
    }

    /**
     * Waits for answers.
     *
     * @param answers by the names of their places; each ends some time
     * @param isEnough whether the answers of a moment are enough
     */
    public static <R extends @Nullable Object> Ballot<R> of(
            Map<String, CompletableFuture<R>> answers, Predicate<? super Tally<R>> isEnough) {
        Ballot<R> ballot = new Ballot<>(answers.keySet(), isEnough);
        ballot.count();
        answers.forEach((place, answer) ->
                Futures.atEnd(answer, (value, thrown) -> ballot.take(place, value, thrown), ballot::fail));
        return ballot;
    }

    /** Returns the tally once the answers are enough, or once all places have answered or failed. */
    public CompletableFuture<Tally<R>> decided() {
        return decided;
    }

    /** Returns the tally once all places have answered or failed. */
    public CompletableFuture<Tally<R>> ended() {
        return ended;
    }

    private void take(String place, R answer, @Nullable Throwable thrown) {
        Throwable cause = thrown == null ? null : Futures.cause(thrown);
        if (cause != null && !(cause instanceof MemcachedException)) {
            fail(cause);
            return;
        }
        synchronized (this) {
            pending.remove(place);
            if (cause instanceof MemcachedException failure) {
                failures.put(place, failure);
            } else {
                done.put(place, answer);
            }
        }
        count();
    }

    private void count() {
        Tally<R> tally;
        boolean isOver;
        boolean isDecided;
        synchronized (this) {
            tally = new Tally<>(
                    Collections.unmodifiableMap(new LinkedHashMap<>(done)),
                    Collections.unmodifiableMap(new LinkedHashMap<>(failures)),
                    Collections.unmodifiableSet(new LinkedHashSet<>(pending)));
            isOver = pending.isEmpty();
            isDecided = isOver || isEnough.test(tally);
        }
        if (isDecided) {
            decided.complete(tally);
        }
        if (isOver) {
            ended.complete(tally);
        }
    }

    private void fail(Throwable thrown) {
        decided.completeExceptionally(thrown);
        ended.completeExceptionally(thrown);
    }
}
