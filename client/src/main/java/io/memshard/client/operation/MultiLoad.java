// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.operation.Load.Next;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Call of {@code multiGetOrLoad}, which proceeds in rounds. A round reads the keys that have no result, and calls the
 * loader once for all keys that this caller has to load. Then the call waits for the loads of other callers.
 *
 * <p>Threading: used by one thread at a time, except {@link #results} and {@link #won}.
 */
final class MultiLoad<V> {

    static final String OPERATION = "multiGetOrLoad";

    /** Limit of keys in flight, so that one call does not reach the in-flight limit of a connection. */
    private static final int MAX_AT_A_TIME = 100;

    private final MultiKeys keys;
    private final List<Load<V>> loads;
    private final Map<Load<V>, CompletableFuture<? extends @Nullable V>> results = new ConcurrentHashMap<>();
    private final Set<Load<V>> won = ConcurrentHashMap.newKeySet();

    MultiLoad(LoadPlan<V> plan, MultiKeys keys) {
        this.keys = keys;
        loads = keys.stored().stream()
                .map(stored -> new Load<>(plan, keys.written(stored), stored, false))
                .toList();
    }

    int keyCount() {
        return keys.outcomes().size();
    }

    CompletableFuture<MultiGetResult<V>> start(
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        return startRound(loads, loader).thenApply(ended -> result());
    }

    private CompletableFuture<?> startRound(
            List<Load<V>> pending,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        return read(pending)
                .thenCompose(read -> {
                    List<Load<V>> toLoad = toLoad(pending);
                    return toLoad.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : keep(toLoad, Load.loaded(toLoad, () -> loader.apply(keysOf(toLoad))));
                })
                .thenCompose(kept -> {
                    List<Load<V>> waiting = pending(pending);
                    return waiting.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : last(waiting).pause().thenCompose(ended -> startRound(waiting, loader));
                });
    }

    MultiGetResult<V> run(ValueLoader<? super Set<String>, ? extends Map<String, V>> loader) {
        List<Load<V>> pending = loads;
        while (!pending.isEmpty()) {
            awaitRead(pending);
            List<Load<V>> toLoad = toLoad(pending);
            if (!toLoad.isEmpty()) {
                Set<String> missing = keysOf(toLoad);
                Futures.result(keep(
                        toLoad,
                        Load.loaded(
                                toLoad,
                                () -> CompletableFuture.completedFuture(
                                        Load.valueOf(loader, missing, missing.size() + " keys")))));
            }
            pending = pending(pending);
            if (!pending.isEmpty()) {
                last(pending).awaitPause();
            }
        }
        return result();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Gives the claims back in the background.
    private void awaitRead(List<Load<V>> pending) {
        CompletableFuture<?> read = read(pending);
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            read.get();
        } catch (ExecutionException e) {
            Futures.result(read);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            MemcachedInterruptedException interrupted =
                    new MemcachedInterruptedException("interrupted while multiGetOrLoad read the keys", null, e);
            read.thenCompose(ended -> keep(toLoad(pending), CompletableFuture.failedFuture(interrupted)));
            throw interrupted;
        }
    }

    private CompletableFuture<?> read(List<Load<V>> pending) {
        won.clear();
        return inTurns(
                pending,
                load -> load.read().handle((next, failure) -> {
                    if (failure != null) {
                        results.put(load, CompletableFuture.failedFuture(Futures.cause(failure)));
                    } else if (next == Next.ANSWER) {
                        results.put(load, CompletableFuture.completedFuture(load.answer()));
                    } else if (next == Next.LOAD) {
                        won.add(load);
                    }
                    return null;
                }));
    }

    private List<Load<V>> toLoad(List<Load<V>> pending) {
        return pending.stream().filter(won::contains).toList();
    }

    private List<Load<V>> pending(List<Load<V>> before) {
        return before.stream().filter(load -> !results.containsKey(load)).toList();
    }

    private static <V> Set<String> keysOf(List<Load<V>> some) {
        return some.stream().map(Load::key).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private CompletableFuture<?> keep(List<Load<V>> toLoad, CompletableFuture<? extends Map<String, V>> loaded) {
        return inTurns(toLoad, load -> {
            CompletableFuture<? extends @Nullable V> kept = load.keep(loaded.thenApply(
                    values -> Objects.requireNonNull(values, "the loader returned null in place of a map")
                            .get(load.key())));
            results.put(load, kept);
            return kept.handle((value, failure) -> null);
        });
    }

    /** Returns the load of the last key. A caller that loads all these keys stores its value last. */
    private static <V> Load<V> last(List<Load<V>> waiting) {
        return waiting.get(waiting.size() - 1);
    }

    /** Runs a step for each key, {@value #MAX_AT_A_TIME} at a time. The futures of the steps must not fail. */
    private CompletableFuture<?> inTurns(List<Load<V>> all, Function<Load<V>, CompletableFuture<@Nullable Void>> step) {
        int turn = Math.min(all.size(), MAX_AT_A_TIME);
        CompletableFuture<?> ended =
                Futures.all(all.subList(0, turn).stream().map(step).toList());
        return turn == all.size() ? ended : ended.thenCompose(next -> inTurns(all.subList(turn, all.size()), step));
    }

    private MultiGetResult<V> result() {
        Map<String, V> hits = new LinkedHashMap<>();
        Set<String> misses = new LinkedHashSet<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>(keys.failures());
        for (Load<V> load : loads) {
            try {
                V value = Futures.result(Objects.requireNonNull(results.get(load), "a requested key has no result"));
                if (value == null) {
                    misses.add(load.key());
                } else {
                    hits.put(load.key(), value);
                }
            } catch (MemcachedException e) {
                failures.put(load.key(), e);
            }
        }
        return new MultiGetResult<>(
                Collections.unmodifiableMap(hits),
                Collections.unmodifiableSet(misses),
                Collections.unmodifiableMap(failures));
    }
}
