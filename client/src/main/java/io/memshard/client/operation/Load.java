// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Backoff;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.load.ValueLoaderException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.operation.RunningLoad.Outcome;
import io.memshard.client.protocol.Command;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Call of {@code getOrLoad}, or the part of a {@link MultiLoad} for one key (protocol.txt, section "Meta Get", on stale
 * items and early recache).
 *
 * <p>Each caller sends {@code mg} with the flags {@code N} and {@code R}. If the item is missing, stale or near its
 * expiry, the reply to one caller has the flag {@code W}: this caller has the claim to load the value. It stores the
 * value only if the item's cas unique has not changed. Other callers take the existing value, or read again while the
 * item is an empty placeholder.
 *
 * <p>Threading: used by one thread at a time. The futures of a blocking call are already complete.
 */
final class Load<V> {

    static final String OPERATION = "getOrLoad";

    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(10), Duration.ofMillis(250));

    record Plan<V>(Calls calls, MetaCommands<V> commands, Function<? super V, Duration> ttl, LoadOptions options) {

        /** Divisor of the time to live: by default, an item is reloaded in the last tenth of this time. */
        private static final int RECACHED_PART = 10;

        Plan {
            Objects.requireNonNull(ttl, "ttl is null");
            Objects.requireNonNull(options, "options is null");
        }

        static LoadOptions recachingEarly(Duration ttl, LoadOptions options) {
            // Checked before the loader runs, because the value could not be stored.
            Exptime.of(ttl, Clock.systemUTC());
            Objects.requireNonNull(options, "options is null");
            Duration part = ttl.equals(Exptime.NEVER) ? Duration.ZERO : ttl.dividedBy(RECACHED_PART);
            return options.recacheBelow() != null || part.compareTo(Duration.ofSeconds(1)) < 0
                    ? options
                    : options.withRecacheBelow(part);
        }

        Command<@Nullable MetaItem<V>> read(String key) {
            GetRequest get =
                    GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS).vivify(options.claimTtl());
            Duration recacheBelow = options.recacheBelow();
            if (recacheBelow != null && !recacheBelow.isZero()) {
                get = get.recacheBelow(recacheBelow);
            }
            return commands.get(get, options.servesStale());
        }

        /** Returns whether a caller waits without limit for a load in its own process. */
        boolean isSharedToItsEnd() {
            return !options.failsAfterWait() && !options.maxWait().isZero();
        }

        long deadlineNanos() {
            return System.nanoTime() + options.maxWait().toNanos();
        }
    }

    private enum Next {
        ANSWER,
        LOAD,
        WAIT
    }

    private final Plan<V> plan;
    final String key;
    final String stored;
    private final boolean isBlocking;
    private boolean isOwn;
    private long deadlineNanos;
    private long leftNanos;
    private int attempt;

    private @Nullable V answer;

    /** Load by another caller in this process. */
    private @Nullable RunningLoad<?> shared;

    /** Load by this caller; null if this caller does not load, or does not store the value. */
    private volatile @Nullable RunningLoad<V> running;

    /** True if the call has failed, perhaps while this item was being read. */
    private volatile boolean isAbandoned;

    /** Result for a {@link MultiLoad}; null while this call loads or waits. */
    @Nullable
    CompletableFuture<? extends @Nullable V> result;

    boolean isLoading;

    /** Creates a call. Must run on the caller's thread, which may be running the loader already. */
    Load(Plan<V> plan, String key, String stored, boolean isBlocking) {
        this.plan = plan;
        this.key = key;
        this.stored = stored;
        this.isBlocking = isBlocking;
        this.isOwn = !isBlocking && RunningLoad.isOwn(plan.calls, stored);
        this.deadlineNanos = plan.deadlineNanos();
    }

    @Nullable
    V run(ValueLoader<? super String, ? extends V> loader) {
        return ending(List.of(this), () -> answer(loader));
    }

    private @Nullable V answer(ValueLoader<? super String, ? extends V> loader) {
        Next next = call();
        while (next == Next.WAIT) {
            awaitPause();
            next = takesShared() ? Next.ANSWER : call();
        }
        return next == Next.ANSWER
                ? answer
                : Futures.result(keep(loaded(
                        List.of(this), () -> CompletableFuture.completedFuture(valueOf(loader, key, shownKey())))));
    }

    private Next call() {
        return next(() -> plan.calls.sender.call(plan.read(stored), plan.calls.nanos()));
    }

    CompletableFuture<@Nullable V> start(
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {
        return endingLater(List.of(this), () -> startRound(loader));
    }

    private CompletableFuture<@Nullable V> startRound(
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {
        return read().thenCompose(next -> switch (next) {
            case ANSWER -> CompletableFuture.completedFuture(answer);
            case LOAD -> keep(loaded(List.of(this), () -> loader.apply(key)));
            case WAIT -> pause().thenCompose(nothing -> startRound(loader));
        });
    }

    /** Ends the loads of a call that fails, perhaps by an {@link Error}, so that no caller waits for these loads. */
    static <V, R extends @Nullable Object> R ending(List<Load<V>> loads, Supplier<R> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            loads.forEach(Load::abandon);
            throw e;
        }
    }

    static <V, R extends @Nullable Object> CompletableFuture<R> endingLater(
            List<Load<V>> loads, Supplier<CompletableFuture<R>> call) {
        return ending(loads, () -> {
            CompletableFuture<R> end = call.get();
            return Futures.compose(end, (result, thrown) -> {
                if (thrown != null) {
                    loads.forEach(Load::abandon);
                }
                return end;
            });
        });
    }

    private void abandon() {
        isAbandoned = true;
        RunningLoad<V> begun = running;
        if (begun != null) {
            begun.abandon();
        }
    }

    CompletableFuture<?> pause() {
        CompletableFuture<?> pause = plan.calls.sender.pause(pauseNanos());
        return shared == null ? pause : CompletableFuture.anyOf(shared.outcome, pause);
    }

    void awaitPause() {
        CompletableFuture<?> end = shared == null ? new CompletableFuture<>() : shared.outcome;
        try {
            end.get(pauseNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The caller reads again.
        } catch (ExecutionException e) {
            throw new IllegalStateException("the future of another caller's load has failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    "interrupted while waiting for another caller to load " + shownKey(), null, e);
        }
    }

    private long pauseNanos() {
        return Math.min(leftNanos, PAUSES.delayNanos(attempt++, ThreadLocalRandom.current()));
    }

    /** Reads the item. The returned future does not fail. */
    CompletableFuture<@Nullable Void> readPart() {
        return read().handle((next, thrown) -> {
            isLoading = next == Next.LOAD;
            if (thrown != null) {
                result = CompletableFuture.failedFuture(Futures.cause(thrown));
            } else if (next == Next.ANSWER) {
                result = CompletableFuture.completedFuture(answer);
            }
            return null;
        });
    }

    private CompletableFuture<Next> read() {
        try {
            if (takesShared()) {
                return CompletableFuture.completedFuture(Next.ANSWER);
            }
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e); // The shared value cannot be decoded.
        }
        CompletableFuture<@Nullable MetaItem<V>> reply =
                plan.calls.sendPart(plan.read(stored), plan.calls.nanos(), false);
        return reply.handle((read, thrown) -> next(() -> Futures.result(reply)));
    }

    private Next next(Supplier<@Nullable MetaItem<V>> reply) {
        MetaItem<V> read = null;
        MemcachedException failure = null;
        try {
            read = reply.get();
        } catch (MemcachedException e) {
            failure = e;
        }
        boolean isServed = read != null && (!read.isStale() || plan.options.servesStale());
        if (read != null && isServed && !read.isWon() && !read.isPlaceholder()) {
            answer = read.value();
            return Next.ANSWER;
        }
        isOwn |= isBlocking && RunningLoad.isOwn(plan.calls, stored);
        if (shared != null && shared.outcome.isDone() && shared.outcome.join() == null) {
            shared = null;
            // Without a new deadline, all callers that waited without limit would load at once.
            deadlineNanos = plan.isSharedToItsEnd() ? plan.deadlineNanos() : deadlineNanos;
        }
        if (shared == null && read != null) {
            shared = RunningLoad.of(plan.calls, stored, read);
        }
        boolean isUnlimited = shared != null && plan.isSharedToItsEnd();
        leftNanos = isOwn ? 0 : isUnlimited ? Long.MAX_VALUE : deadlineNanos - System.nanoTime();
        if (failure != null && (shared == null || leftNanos <= 0 || failure instanceof MemcachedInterruptedException)) {
            throw failure;
        }
        if (isWaiting(read)) {
            return Next.WAIT;
        }
        // A missing item has no cas unique, so storing its value could overwrite another caller's change.
        running = read == null ? null : RunningLoad.begin(plan, stored, read, isBlocking);
        if (isAbandoned) {
            abandon();
        }
        return Next.LOAD;
    }

    private boolean isWaiting(@Nullable MetaItem<V> read) {
        if (read == null) {
            return shared != null && leftNanos > 0;
        }
        if (read.casUnique() == 0) {
            throw new MemcachedUnsupportedException(
                    "the cas unique of " + shownKey() + " is 0, because the server runs without cas (memcached -C):"
                            + " getOrLoad could overwrite values of other callers, so start memcached without -C");
        }
        if (!read.isWon() && leftNanos <= 0 && plan.options().failsAfterWait()) {
            throw new MemcachedTimeoutException(
                    "another caller has been loading " + shownKey() + " for longer than maxWait="
                            + plan.options().maxWait() + ": raise maxWait, or make the loader faster",
                    null,
                    null);
        }
        return !read.isWon() && leftNanos > 0;
    }

    private boolean takesShared() {
        Outcome outcome = shared == null ? null : shared.outcome.getNow(null);
        EncodedValue value = outcome == null ? null : outcome.value();
        if (value != null) {
            answer =
                    plan.commands().decode(stored, new EncodedValue(value.data().clone(), value.flags()));
        }
        return outcome != null;
    }

    private String shownKey() {
        return plan.calls.sender.context("mg", stored, Phase.QUEUED).shownKey();
    }

    /** Calls a loader, and notes its thread, so that the loader does not wait for itself. */
    static <V, T extends @Nullable Object> CompletableFuture<T> loaded(
            List<Load<V>> loads, Callable<? extends CompletionStage<? extends T>> loader) {
        loads.forEach(load -> load.setLoader(Thread.currentThread()));
        try {
            return CompletableFuture.<@Nullable Void>completedFuture(null)
                    .thenCombine(loader.call(), (nothing, value) -> value);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            loads.forEach(load -> load.setLoader(null));
        }
    }

    private void setLoader(@Nullable Thread thread) {
        RunningLoad<V> begun = running;
        if (begun != null) {
            begun.loader = thread;
        }
    }

    static <K, V extends @Nullable Object> @Nullable V valueOf(
            ValueLoader<? super K, ? extends V> loader, K keys, String shownKeys) {
        try {
            return loader.load(keys);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new ValueLoaderException(shownKeys, e);
        }
    }

    CompletableFuture<@Nullable V> keep(CompletableFuture<? extends @Nullable V> loaded) {
        RunningLoad<V> begun = running;
        return begun == null ? loaded.thenApply(value -> value) : begun.keep(loaded);
    }
}
