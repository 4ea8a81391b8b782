// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import io.memshard.client.connection.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SenderMetaClient;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One blocking call of {@code MemcachedClient.getOrLoad}.
 *
 * <p>Threading: confined to its caller.
 */
public record BlockingLoad<V>(SenderMetaClient<V> client, LoadPlan<V> plan, ValueLoader<? extends V> loader) {

    /** Checks the loader. */
    public BlockingLoad {
        Objects.requireNonNull(loader, "loader is null");
    }

    /** The value, loaded by this caller or another. */
    public @Nullable V run() {
        long deadlineNanos = System.nanoTime() + plan.maxWaitNanos();
        for (int attempt = 0; ; attempt++) {
            MetaItem<V> found = client.load(plan.request(), plan.servesStale());
            long leftNanos = deadlineNanos - System.nanoTime();
            switch (plan.next(found, leftNanos)) {
                case RETURN -> {
                    return plan.value(found);
                }
                case LOAD -> {
                    return load(found);
                }
                case WAIT -> pause(plan.pauseNanos(attempt, leftNanos));
            }
        }
    }

    private void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    "interrupted while another caller loads " + plan.shownKey(), null, e);
        }
    }

    private @Nullable V load(@Nullable MetaItem<V> found) {
        V value = this.<@Nullable V>orRelease(found, this::loaded);
        try {
            if (value == null) {
                delete(plan.discard(found));
            } else {
                orRelease(found, () -> write(() -> client.set(plan.store(found, value))));
            }
        } catch (MemcachedException e) {
            if (!client.sender().failurePolicy().isMiss(e)) {
                throw e;
            }
        }
        return value;
    }

    private @Nullable V loaded() {
        try {
            return loader.load(plan.key());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new ValueLoaderException(plan.shownKey(), e);
        }
    }

    /** Runs a step; if it fails, gives the claim back. */
    private <T extends @Nullable Object> T orRelease(@Nullable MetaItem<V> found, Supplier<T> step) {
        try {
            return step.get();
        } catch (Throwable e) {
            try {
                delete(plan.release(found));
            } catch (Throwable second) {
                Futures.suppress(second, e);
            }
            throw e;
        }
    }

    private void delete(@Nullable DeleteRequest request) {
        if (request != null) {
            write(() -> client.delete(request));
        }
    }

    /** Writes even if the loader left its thread interrupted, because other callers wait for the value. */
    private <T> T write(Supplier<T> call) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            return call.get();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
