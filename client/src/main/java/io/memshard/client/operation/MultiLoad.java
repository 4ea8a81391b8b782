// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.operation.RunningLoad.Place;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@code multiGetOrLoad}. The call has an {@link AsyncLoad} for each key, and calls the loader once for all
 * keys that it has to load.
 *
 * <p>The loader is called after it is known for each key whether this caller loads it, waits for it, or has its value.
 * If this caller wins a key later, while it waits, the loader is called again for that key.
 *
 * <p>Threading: runs on the calling thread and the threads that complete its futures. {@link #toLoad} and {@link
 * #isCalled} are guarded by {@code toLoad}.
 */
final class MultiLoad<V> {

    public static final String OPERATION = "multiGetOrLoad";

    /** Maximum number of keys read or stored at a time. Without a maximum, one call could reach the in-flight limit. */
    private static final int MAX_AT_A_TIME = 100;

    public record Plans<V>(List<LoadPlan<V>> legal, Map<String, MemcachedException> illegal) {

        private int keyCount() {
            return legal.size() + illegal.size();
        }
    }

    private final AsyncSenderMetaClient<V> client;
    private final List<LoadPlan<V>> plans;
    private final Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader;
    private final Map<String, CompletableFuture<@Nullable V>> values = new LinkedHashMap<>();

    /** Futures of the keys that the first call of the loader loads. */
    private final Map<String, CompletableFuture<@Nullable V>> toLoad = new LinkedHashMap<>();

    private boolean isCalled;

    /** Future of the first key's load, from which the call's future is derived; null before this load starts. */
    private @Nullable CompletableFuture<?> first;

    /** Future that fails all keys to load if a step of this class throws, for example for lack of memory. */
    private final CompletableFuture<@Nullable V> failed = new CompletableFuture<>();

    private MultiLoad(
            AsyncSenderMetaClient<V> client,
            Plans<V> plans,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        this.client = client;
        this.plans = plans.legal;
        this.loader = Objects.requireNonNull(loader, "loader is null");
        plans.legal.forEach(plan -> values.put(plan.key(), new CompletableFuture<>()));
        plans.illegal.forEach((key, failure) -> values.put(key, CompletableFuture.failedFuture(failure)));
    }

    public static <V> CompletableFuture<MultiGetResult<V>> start(
            AsyncSenderMetaClient<V> client,
            Plans<V> plans,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        MultiLoad<V> load = new MultiLoad<>(client, plans, loader);
        return client.calls().start(OPERATION, null, plans.keyCount(), load::run);
    }

    /** Gets or loads the values. The loader runs on the calling thread, which waits for the result. */
    public static <V> MultiGetResult<V> run(
            AsyncSenderMetaClient<V> client,
            Plans<V> plans,
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader) {
        Objects.requireNonNull(loader, "loader is null");
        return client.calls().call(OPERATION, null, plans.keyCount(), () -> runHere(client, plans, loader));
    }

    private static <V> MultiGetResult<V> runHere(
            AsyncSenderMetaClient<V> client,
            Plans<V> plans,
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader) {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        AtomicBoolean isInterrupted = new AtomicBoolean();
        MultiLoad<V> load = new MultiLoad<>(
                client,
                plans,
                keys -> CompletableFuture.supplyAsync(
                        () -> {
                            if (isInterrupted.get()) {
                                throw interrupted();
                            }
                            return during(client, plans.legal, keys, () -> loaded(loader, keys));
                        },
                        task -> {
                            tasks.add(task);
                            if (isInterrupted.get() && tasks.remove(task)) {
                                task.run();
                            }
                        }));
        CompletableFuture<MultiGetResult<V>> result = load.run();
        Runnable nothing = () -> {};
        Futures.atEnd(result, (value, failure) -> tasks.add(nothing), failure -> tasks.add(nothing));
        try {
            while (!result.isDone()) {
                tasks.take().run();
            }
        } catch (InterruptedException e) {
            // Loads that would start from now on fail, and so release their claims.
            isInterrupted.set(true);
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            Thread.currentThread().interrupt();
            throw interrupted();
        }
        return Futures.result(result);
    }

    @SuppressWarnings("NullAway") // A null result is rejected later, like that of an asynchronous loader.
    private static <V> Map<String, V> loaded(
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader, Set<String> keys) {
        try {
            return loader.load(keys);
        } catch (Exception e) {
            throw BlockingLoad.thrownByLoader(keys.size() + " keys", e);
        }
    }

    private static MemcachedInterruptedException interrupted() {
        return new MemcachedInterruptedException("interrupted while many keys were loaded", null, null);
    }

    private CompletableFuture<MultiGetResult<V>> run() {
        Map<LoadPlan<V>, CompletableFuture<@Nullable Void>> decided = new LinkedHashMap<>();
        plans.forEach(plan -> decided.put(plan, new CompletableFuture<>()));
        Futures.atEnd(allOf(decided), (nothing, failure) -> loadAll(), this::fail);
        try {
            inTurns(plans, plan -> send(plan, of(plan, decided)));
        } catch (Throwable e) {
            fail(e);
        }
        CompletableFuture<MultiGetResult<V>> all = allOf(values).handle((ignored, failure) -> result());
        return first == null ? all : Futures.compose(first, (ignored, failure) -> all);
    }

    private static <K, F> F of(K key, Map<K, F> map) {
        return Objects.requireNonNull(map.get(key), "no entry");
    }

    private static CompletableFuture<Void> allOf(Map<?, ? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.values().toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Starts to get or load the value of a key. The returned future completes when the value, or the caller that loads
     * it, is known.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // Its end completes the value.
    private CompletableFuture<?> send(LoadPlan<V> plan, CompletableFuture<@Nullable Void> decided) {
        CompletableFuture<@Nullable V> value = of(plan.key(), values);
        Runnable decide = () -> decided.complete(null);
        value.whenComplete((found, failure) -> decide.run());
        CompletableFuture<@Nullable V> load = new AsyncLoad<>(client, plan, key -> toLoad(key, decide), decide).run();
        if (first == null) {
            first = load;
        }
        Futures.atEnd(
                load,
                (found, failure) -> {
                    if (failure == null) {
                        value.complete(found);
                    } else {
                        value.completeExceptionally(Futures.cause(failure));
                    }
                },
                this::fail);
        return decided;
    }

    private CompletableFuture<@Nullable V> toLoad(String key, Runnable decide) {
        CompletableFuture<@Nullable V> loaded = new CompletableFuture<>();
        boolean isLate;
        synchronized (toLoad) {
            isLate = isCalled;
            if (!isLate) {
                toLoad.put(key, loaded);
            }
        }
        if (isLate) {
            load(Map.of(key, loaded));
        }
        decide.run();
        return loaded.applyToEither(failed, value -> value);
    }

    private void loadAll() {
        Map<String, CompletableFuture<@Nullable V>> won;
        synchronized (toLoad) {
            isCalled = true;
            won = new LinkedHashMap<>(toLoad);
        }
        if (!won.isEmpty()) {
            load(won);
        }
    }

    private void load(Map<String, CompletableFuture<@Nullable V>> won) {
        Futures.atEnd(
                CompletableFuture.<@Nullable Void>completedFuture(null)
                        .thenCompose(ignored -> loaded(Collections.unmodifiableSet(won.keySet())))
                        .thenApply(
                                loaded -> Objects.requireNonNull(loaded, "the loader returned null in place of a map")),
                (loaded, failure) -> keep(won, loaded, failure),
                this::fail);
    }

    private void keep(
            Map<String, CompletableFuture<@Nullable V>> won,
            @Nullable Map<String, V> loaded,
            @Nullable Throwable failure) {
        inTurns(won.keySet(), key -> {
            CompletableFuture<@Nullable V> value = of(key, won);
            if (failure == null) {
                value.complete(Objects.requireNonNull(loaded, "no map").get(key));
            } else {
                value.completeExceptionally(Futures.cause(failure));
            }
            return of(key, values);
        });
    }

    /**
     * Runs a step for each element, {@value #MAX_AT_A_TIME} steps at a time. The next steps start after all of these
     * have ended.
     */
    private <T> void inTurns(Collection<T> all, Function<T, CompletableFuture<?>> step) {
        List<T> steps = List.copyOf(all);
        CompletableFuture<@Nullable Void> turn = CompletableFuture.completedFuture(null);
        for (int from = 0; from < steps.size(); from += MAX_AT_A_TIME) {
            List<T> next = steps.subList(from, Math.min(steps.size(), from + MAX_AT_A_TIME));
            turn = turn.<@Nullable Void>thenCompose(
                    before -> CompletableFuture.allOf(next.stream().map(step).toArray(CompletableFuture<?>[]::new))
                            .handle((ended, failure) -> null));
        }
        Futures.atEnd(
                turn,
                (ended, failure) -> {
                    if (failure != null) {
                        fail(Futures.cause(failure));
                    }
                },
                this::fail);
    }

    /** Fails all values. Otherwise callers would wait forever, and keys would stay claimed. */
    private void fail(Throwable thrown) {
        try {
            failed.completeExceptionally(thrown);
        } finally {
            values.values().forEach(value -> value.completeExceptionally(thrown));
        }
    }

    private CompletableFuture<Map<String, V>> loaded(Set<String> keys) {
        return CompletableFuture.<@Nullable Void>completedFuture(null)
                .thenCombine(during(client, plans, keys, () -> loader.apply(keys)), (nothing, loaded) -> loaded);
    }

    private static <V, T> T during(
            AsyncSenderMetaClient<V> client,
            List<LoadPlan<V>> plans,
            Set<String> keys,
            RunningLoad.Loading<T, RuntimeException> loading) {
        Set<Place> places = plans.stream()
                .filter(plan -> keys.contains(plan.key()))
                .map(plan -> Place.of(client.calls(), plan))
                .collect(Collectors.toSet());
        return RunningLoad.during(places, loading);
    }

    private MultiGetResult<V> result() {
        Map<String, V> hits = new LinkedHashMap<>();
        Set<String> misses = new LinkedHashSet<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        values.forEach((key, future) -> {
            try {
                V value = Futures.result(future);
                if (value == null) {
                    misses.add(key);
                } else {
                    hits.put(key, value);
                }
            } catch (MemcachedException e) {
                failures.put(key, e);
            }
        });
        return new MultiGetResult<>(
                Collections.unmodifiableMap(hits),
                Collections.unmodifiableSet(misses),
                Collections.unmodifiableMap(failures));
    }
}
