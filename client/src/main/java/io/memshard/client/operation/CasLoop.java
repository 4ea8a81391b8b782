// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.AsyncItemOperations;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.UpdateConflictException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaItem;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Update of one item: reads the item, changes its value and stores the new value by compare and set. If another writer
 * changed the item between the read and the store, the update starts over. The placeholder of a load counts as a
 * missing item, which the new value replaces.
 *
 * <p>Threading: immutable. The change runs on the calling thread, or on the thread that completes the read.
 *
 * @param change function from the current value, null on a miss, to the new value; if the function returns null, the
 *     item is left unchanged
 */
public record CasLoop<V>(
        String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change, boolean hidesKey) {

    private static final int MAX_TRIES = 100;

    /**
     * Base of the random pause between tries, which keeps writers from colliding again. The limit of the pause doubles
     * with each of the first six tries.
     */
    private static final long PAUSE_NANOS = 50_000;

    private static final int MAX_DOUBLINGS = 6;

    public CasLoop {
        Objects.requireNonNull(key, "key is null");
        Objects.requireNonNull(change, "change is null");
    }

    /** Returns the stored value, or null if the change returned null. */
    public @Nullable V run(MemcachedClient<V> client) {
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            CasValue<V> read = client.gets(key);
            V changed = change.apply(read == null ? null : read.value());
            if (changed == null || isStored(client, read, changed)) {
                return changed;
            }
            if (tries < MAX_TRIES) {
                long limit = PAUSE_NANOS << Math.min(tries, MAX_DOUBLINGS);
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(limit));
            }
        }
        throw conflict();
    }

    private boolean isStored(MemcachedClient<V> client, @Nullable CasValue<V> read, V changed) {
        if (read != null) {
            return client.cas(key, changed, read.casUnique(), ttl) == CasResult.STORED;
        }
        if (client.add(key, changed, ttl)) {
            return true;
        }
        long placeholder = placeholder(client);
        return placeholder != 0 && client.cas(key, changed, placeholder, ttl) == CasResult.STORED;
    }

    /** Returns the cas unique of the placeholder that prevented the add; 0 if none did. */
    private long placeholder(MemcachedClient<V> client) {
        try {
            return casUnique(client.meta().get(readOfPlaceholder()));
        } catch (MemcachedUnsupportedException e) {
            return 0;
        }
    }

    private GetRequest readOfPlaceholder() {
        return GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS);
    }

    private static long casUnique(@Nullable MetaItem<?> found) {
        return found != null && found.isPlaceholder() ? found.casUnique() : 0;
    }

    /** Starts the same update without blocking a thread and without pauses. */
    public CompletableFuture<@Nullable V> start(AsyncItemOperations<V> client) {
        return start(client, 1);
    }

    private CompletableFuture<@Nullable V> start(AsyncItemOperations<V> client, int tries) {
        return client.gets(key).<@Nullable V>thenCompose(read -> {
            V changed = change.apply(read == null ? null : read.value());
            if (changed == null) {
                return CompletableFuture.completedFuture(null);
            }
            CompletableFuture<Boolean> stored = read == null
                    ? client.add(key, changed, ttl)
                            .thenCompose(isAdded -> isAdded
                                    ? CompletableFuture.completedFuture(true)
                                    : startReplacingPlaceholder(client, changed))
                    : startCas(client, changed, read.casUnique());
            return stored.<@Nullable V>thenCompose(isStored -> {
                if (isStored) {
                    return CompletableFuture.completedFuture(changed);
                }
                return tries < MAX_TRIES ? start(client, tries + 1) : CompletableFuture.failedFuture(conflict());
            });
        });
    }

    private CompletableFuture<Boolean> startReplacingPlaceholder(AsyncItemOperations<V> client, V changed) {
        if (!(client instanceof AsyncMemcachedClient<V> whole)) {
            return CompletableFuture.completedFuture(false);
        }
        try {
            return whole.meta()
                    .get(readOfPlaceholder())
                    .exceptionally(CasLoop::nullIfUnsupported)
                    .thenApply(CasLoop::casUnique)
                    .thenCompose(casUnique -> casUnique == 0
                            ? CompletableFuture.completedFuture(false)
                            : startCas(client, changed, casUnique));
        } catch (MemcachedUnsupportedException e) {
            return CompletableFuture.completedFuture(false);
        }
    }

    /** Returns null if the protocol of the connection lacks the command; otherwise throws the failure. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // The result is always null.
    static <T> @Nullable T nullIfUnsupported(Throwable thrown) {
        if (Futures.cause(thrown) instanceof MemcachedUnsupportedException) {
            return null;
        }
        throw new CompletionException(Futures.cause(thrown));
    }

    private CompletableFuture<Boolean> startCas(AsyncItemOperations<V> client, V changed, long casUnique) {
        return client.cas(key, changed, casUnique, ttl).thenApply(CasResult.STORED::equals);
    }

    private UpdateConflictException conflict() {
        return new UpdateConflictException(key, MAX_TRIES, hidesKey);
    }
}
