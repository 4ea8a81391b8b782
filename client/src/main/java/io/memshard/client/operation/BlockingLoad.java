// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.load.ValueLoaderException;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.operation.RunningLoad.Outcome;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One blocking call of {@code MemcachedClient.getOrLoad}, which sends its commands, waits, and calls the loader on the
 * calling thread.
 *
 * <p>Threading: confined to its caller.
 */
final class BlockingLoad<V> extends Load<V> {

    private final ValueLoader<? super String, ? extends V> loader;
    private final long timeoutNanos;

    BlockingLoad(
            Calls calls,
            MetaCommands<V> commands,
            LoadPlan<V> plan,
            ValueLoader<? super String, ? extends V> loader,
            long timeoutNanos) {
        super(calls, commands, plan);
        this.loader = Objects.requireNonNull(loader, "loader is null");
        this.timeoutNanos = timeoutNanos;
    }

    @Nullable
    V run() {
        while (true) {
            MetaItem<V> found = null;
            MemcachedException failure = null;
            try {
                found = call(read());
            } catch (MemcachedException e) {
                failure = e;
            }
            if (plan.isAnswer(found)) {
                return plan.value(found);
            }
            CompletableFuture<@Nullable V> result = take(found, failure, RunningLoad.isOwn(place()));
            if (result != null) {
                return Futures.result(result);
            }
            Outcome loaded = await(shared(), pauseNanos());
            if (loaded != null) {
                return plan.value(loaded.value(), commands);
            }
        }
    }

    private <T> T call(Command<T> command) {
        return calls.sender().call(command, calls.nanos(timeoutNanos));
    }

    /** Waits for up to {@code nanos} for a load of this process. Returns null if there is no outcome to share. */
    private @Nullable Outcome await(@Nullable RunningLoad shared, long nanos) {
        try {
            CompletableFuture<@Nullable Outcome> outcome =
                    shared == null ? new CompletableFuture<>() : shared.outcome();
            return outcome.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the future of another caller's load has failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    "interrupted while another caller loads " + plan.shownKey(), null, e);
        }
    }

    @Override
    <T> CompletableFuture<T> write(Command<T> command) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            return completed(() -> CompletableFuture.completedFuture(call(command)));
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    CompletableFuture<Long> stop(RunningLoad load) {
        return CompletableFuture.completedFuture(Futures.result(load.stop()));
    }

    @Override
    CompletableFuture<@Nullable V> loaded() {
        return completed(() -> CompletableFuture.completedFuture(valueOfLoader()));
    }

    @SuppressWarnings("NullAway") // It does not see that the type argument is nullable.
    private @Nullable V valueOfLoader() {
        try {
            return RunningLoad.<@Nullable V, Exception>during(Set.of(place()), () -> loader.load(plan.key()));
        } catch (Exception e) {
            throw thrownByLoader(plan.shownKey(), e);
        }
    }

    static RuntimeException thrownByLoader(String shownKeys, Exception e) {
        if (e instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new ValueLoaderException(shownKeys, e);
    }

    @Override
    AsyncSenderMetaClient<V> renewing() {
        return new AsyncSenderMetaClient<>(calls, commands, Duration.ofNanos(timeoutNanos));
    }
}
