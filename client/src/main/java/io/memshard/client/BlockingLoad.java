package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link MemcachedClient#getOrLoad}.
 *
 * <p>Threading: confined to its caller.
 */
record BlockingLoad<V>(
        MetaClient<V> client, String key, LoadPlan<V> plan, Function<? super String, ? extends @Nullable V> loader) {

    @Nullable
    V run() {
        long deadlineNanos = System.nanoTime() + plan.maxWaitNanos();
        for (int attempt = 0; ; attempt++) {
            MetaItem<V> found = client.get(plan.request());
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
        V value;
        try {
            value = loader.apply(key);
            if (value != null) {
                client.set(plan.store(found, value));
            }
        } catch (Throwable e) {
            release(found, e);
            throw e;
        }
        if (value == null) {
            DeleteRequest discard = plan.discard(found);
            if (discard != null) {
                client.delete(discard);
            }
        }
        return value;
    }

    private void release(@Nullable MetaItem<V> found, Throwable cause) {
        DeleteRequest release = plan.release(found);
        if (release != null) {
            try {
                client.delete(release);
            } catch (MemcachedException e) {
                cause.addSuppressed(e);
            }
        }
    }
}
