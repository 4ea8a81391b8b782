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
 * Collection of the answers of several places, such as zones, to one write. One future completes when the answers are
 * enough, another when all places have answered or failed.
 *
 * <p>Threading: thread-safe. The thread that delivers an answer completes the futures that the answer decides.
 */
public final class Quorum<R extends @Nullable Object> {

    /**
     * Snapshot of the answers so far.
     *
     * @param done the answers, by place, in the order in which they came
     * @param failures the places that have failed
     * @param pending the places that have not answered yet
     */
    public record Votes<R extends @Nullable Object>(
            Map<String, R> done, Map<String, MemcachedException> failures, Set<String> pending) {}

    private final Predicate<? super Votes<R>> isEnough;
    private final CompletableFuture<Votes<R>> decided;
    private final CompletableFuture<Votes<R>> ended;

    // Guarded by this: all fields below.
    private final Map<String, R> done = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();
    private final Set<String> pending;

    private Quorum(Map<String, CompletableFuture<R>> answers, Predicate<? super Votes<R>> isEnough) {
        this.isEnough = isEnough;
        this.pending = new LinkedHashSet<>(answers.keySet());
        CompletableFuture<?> maker = answers.values().stream().findFirst().orElseGet(CompletableFuture::new);
        decided = maker.newIncompleteFuture();
        ended = maker.newIncompleteFuture();
    }

    /**
     * Returns a quorum that collects these answers.
     *
     * @param answers the future answers, by the names of their places; each completes eventually
     * @param isEnough the test whether the answers so far are enough
     */
    public static <R extends @Nullable Object> Quorum<R> of(
            Map<String, CompletableFuture<R>> answers, Predicate<? super Votes<R>> isEnough) {
        Quorum<R> quorum = new Quorum<>(answers, isEnough);
        quorum.count();
        answers.forEach((place, answer) ->
                Futures.atEnd(answer, (value, thrown) -> quorum.take(place, value, thrown), quorum::fail));
        return quorum;
    }

    /** Returns the answers once they are enough, or once all places have answered or failed. */
    public CompletableFuture<Votes<R>> decided() {
        return decided;
    }

    /** Returns the answers once all places have answered or failed. */
    public CompletableFuture<Votes<R>> ended() {
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
        Votes<R> votes;
        boolean isOver;
        boolean isDecided;
        synchronized (this) {
            votes = new Votes<>(
                    Collections.unmodifiableMap(new LinkedHashMap<>(done)),
                    Collections.unmodifiableMap(new LinkedHashMap<>(failures)),
                    Collections.unmodifiableSet(new LinkedHashSet<>(pending)));
            isOver = pending.isEmpty();
            isDecided = isOver || isEnough.test(votes);
        }
        if (isDecided) {
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
