// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.multi.MultiGetResult;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Call of {@code multiGetOrLoad}, for one thread at a time. Each round reads the items without a result, and calls the
 * loader once for the keys that this caller has to load. Between rounds, the call waits for loads by other callers.
 */
final class MultiLoad<V> {

    static final String OPERATION = "multiGetOrLoad";

    /** Maximum number of keys in flight, so that one call does not reach the in-flight limit of a connection. */
    private static final int MAX_AT_A_TIME = 100;

    final MultiKeys keys;
    private final List<Load<V>> loads;

    MultiLoad(Load.Plan<V> plan, MultiKeys keys) {
        this.keys = keys;
        loads = keys.stored().stream()
                .map(stored -> new Load<>(plan, keys.written(stored), stored, false))
                .toList();
    }

    CompletableFuture<MultiGetResult<V>> start(
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        return Load.endingLater(loads, () -> startRound(loads, loader).thenApply(ended -> result()));
    }

    private CompletableFuture<?> startRound(
            List<Load<V>> pending,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        return inTurns(pending, Load::readPart)
                .thenCompose(read -> load(pending, loader))
                .thenCompose(kept -> {
                    List<Load<V>> waiting = waiting(pending);
                    return waiting.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : last(waiting).pause().thenCompose(ended -> startRound(waiting, loader));
                });
    }

    MultiGetResult<V> run(ValueLoader<? super Set<String>, ? extends Map<String, V>> loader) {
        return Load.ending(loads, () -> {
            runRounds(loader);
            return result();
        });
    }

    private void runRounds(ValueLoader<? super Set<String>, ? extends Map<String, V>> loader) {
        List<Load<V>> pending = loads;
        while (!pending.isEmpty()) {
            awaitRead(pending);
            Futures.result(load(
                    pending,
                    missing -> CompletableFuture.completedFuture(
                            Load.valueOf(loader, missing, missing.size() + " keys"))));
            pending = waiting(pending);
            if (!pending.isEmpty()) {
                last(pending).awaitPause();
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Gives the claims back in the background.
    private void awaitRead(List<Load<V>> pending) {
        CompletableFuture<?> read = inTurns(pending, Load::readPart);
        try {
            Futures.await(read, "interrupted while multiGetOrLoad read the keys");
        } catch (MemcachedInterruptedException e) {
            read.thenCompose(ended -> load(pending, missing -> CompletableFuture.failedFuture(e)));
            throw e;
        }
    }

    private List<Load<V>> waiting(List<Load<V>> before) {
        return before.stream().filter(load -> load.result == null).toList();
    }

    private CompletableFuture<?> load(
            List<Load<V>> read,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        List<Load<V>> won = read.stream().filter(load -> load.isLoading).toList();
        if (won.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Set<String> missing = new LinkedHashSet<>();
        won.forEach(load -> missing.add(load.key));
        CompletableFuture<? extends Map<String, V>> loaded = Load.loaded(won, () -> loader.apply(missing));
        return inTurns(won, load -> {
            CompletableFuture<? extends @Nullable V> kept = load.keep(loaded.thenApply(
                    values -> Objects.requireNonNull(values, "the loader returned null in place of a map")
                            .get(load.key)));
            load.result = kept;
            return kept.handle((value, failure) -> null);
        });
    }

    /** Returns the load of the last key. Another caller that loads all these keys stores this value last. */
    private static <V> Load<V> last(List<Load<V>> waiting) {
        return waiting.get(waiting.size() - 1);
    }

    /** Runs a step for {@value #MAX_AT_A_TIME} keys at a time. A step's future must not fail. */
    private CompletableFuture<?> inTurns(List<Load<V>> all, Function<Load<V>, CompletableFuture<@Nullable Void>> step) {
        int turn = Math.min(all.size(), MAX_AT_A_TIME);
        CompletableFuture<?> ended =
                Futures.all(all.subList(0, turn).stream().map(step).toList());
        return turn == all.size() ? ended : ended.thenCompose(next -> inTurns(all.subList(turn, all.size()), step));
    }

    @SuppressWarnings("unchecked") // Each future among the outcomes is that of a load.
    private MultiGetResult<V> result() {
        loads.forEach(load -> keys.outcomes.put(load.key, load.result));
        return keys.result((key, outcome) -> {
            if (outcome instanceof MemcachedException failure) {
                throw failure;
            }
            return Futures.result((CompletableFuture<? extends @Nullable V>)
                    Objects.requireNonNull(outcome, "a requested key has no result"));
        });
    }
}
