package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link MemcachedClient#getOrLoad}.
 *
 * <p>Threading: confined to its caller.
 */
record BlockingLoad<V>(
        Attempts<MetaClient<V>> attempts,
        String key,
        LoadPlan<V> plan,
        Function<? super String, ? extends @Nullable V> loader) {

    BlockingLoad {
        Objects.requireNonNull(loader, "loader is null");
    }

    @Nullable
    V run() {
        long deadlineNanos = System.nanoTime() + plan.maxWaitNanos();
        for (int attempt = 0; ; attempt++) {
            MetaItem<V> found = attempts.read(client -> client.get(plan.request()));
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
            throw new MemcachedInterruptedException("interrupted while another caller loads \"" + key + '"', null, e);
        }
    }

    private @Nullable V load(@Nullable MetaItem<V> found) {
        V value = this.<@Nullable V>orRelease(found, () -> loader.apply(key));
        try {
            if (value == null) {
                delete(plan.discard(found));
            } else {
                orRelease(found, () -> write(client -> client.set(plan.store(found, value))));
            }
        } catch (MemcachedException e) {
            if (!attempts.policy().isMiss(e)) {
                throw e;
            }
        }
        return value;
    }

    /** Runs a step; if it fails, gives the win back. */
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
            write(client -> client.delete(request));
        }
    }

    /** Writes even if the loader has left its thread interrupted, since others wait for it. */
    private <T> T write(Function<MetaClient<V>, T> call) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            return attempts.write(call);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
