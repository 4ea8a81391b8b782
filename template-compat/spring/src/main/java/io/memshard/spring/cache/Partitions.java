// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Partitions of a cache's entries; thread-safe. All entries of a partition are on one server, together with the
 * partition's generation ({@link Entries}). So a lookup goes to one server, and the loss of a server affects only the
 * partitions on that server. Only the key determines an entry's partition, so all zones and both fleets of a migration
 * use the same partition. If a clear or delete fails, the next call to the partition or a timer clears the partition.
 */
final class Partitions {

    private static final ClientLog LOG = ClientLog.of(MemcachedCache.class);

    /** Number of partitions, a power of two. Changing this number would make lookups miss existing entries. */
    static final int COUNT = 256;

    /** 2^32 divided by the golden ratio. This multiplier spreads similar hash codes over the partitions. */
    private static final int GOLDEN = 0x9E3779B9;

    private static final long PAUSE_MILLIS = 1_000;

    /** Timer of all caches. The timer of {@code CompletableFuture} would keep an application's classes in memory. */
    private static final ScheduledThreadPoolExecutor TIMER =
            new ScheduledThreadPoolExecutor(1, DaemonThread.factory("memcached-cache-clear"));

    static {
        TIMER.setKeepAliveTime(1, TimeUnit.SECONDS);
        TIMER.allowCoreThreadTimeOut(true);
    }

    private final String name;
    private final String prefix;
    private final MemcachedClient<EncodedValue> client;
    private final AsyncMemcachedClient<EncodedValue> async;

    private final AtomicReferenceArray<@Nullable Entries> used = new AtomicReferenceArray<>(COUNT);

    private final AtomicBoolean isClearingAgain = new AtomicBoolean();

    /** True after {@link #end}: the timer clears nothing, but calls still clear a partition whose clear failed. */
    private volatile boolean ended;

    Partitions(String name, String prefix, MemcachedClient<?> client) {
        this.name = name;
        this.prefix = prefix;
        this.client = asStored(client);
        this.async = this.client.async();
    }

    /** Returns a client that fails fast. Engine spymemcached has no failure policies, but always fails fast. */
    private static MemcachedClient<EncodedValue> asStored(MemcachedClient<?> client) {
        MemcachedClient<EncodedValue> stored = client.withTranscoder(Transcoder.asStored());
        try {
            return stored.withFailurePolicy(FailurePolicy.FAIL_FAST).withHashedKeys();
        } catch (MemcachedUnsupportedException e) {
            return stored;
        }
    }

    Entries of(String text) {
        return partition(indexOf(text));
    }

    static int indexOf(String text) {
        return (text.hashCode() * GOLDEN) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(COUNT));
    }

    private Entries partition(int index) {
        Entries known = used.get(index);
        if (known != null) {
            return known;
        }
        Entries created = created(generationKey(index));
        Entries raced = used.compareAndExchange(index, null, created);
        return raced == null ? created : raced;
    }

    /** Returns entries on the server of the generation, if the client supports routing keys. */
    private Entries created(String generationKey) {
        try {
            return new Entries(prefix, generationKey, client.withRoutingKey(generationKey));
        } catch (MemcachedUnsupportedException e) {
            return new Entries(prefix, generationKey, client);
        }
    }

    CompletableFuture<Boolean> delete(String text) {
        Entries entries = of(text);
        return entries.delete(text).whenComplete((isDeleted, thrown) -> {
            if (thrown != null) {
                entries.isClearLost = true;
                clearAgainUntilDone();
            }
        });
    }

    String generationKey(int index) {
        return prefix + "#generation:" + index;
    }

    /** Clears all partitions. If a partition cannot be cleared, clears the other partitions, and then fails. */
    CompletableFuture<@Nullable Void> clear() {
        return clear(IntStream.range(0, COUNT).toArray());
    }

    private CompletableFuture<@Nullable Void> clear(int[] indexes) {
        String next = Entries.next();
        EncodedValue generation = Entries.encoded(next);
        Map<String, EncodedValue> generations = new LinkedHashMap<>();
        for (int index : indexes) {
            generations.put(generationKey(index), generation);
        }
        return Futures.compose(async.multiSet(generations, TimeToLive.NEVER), (result, thrown) -> {
            for (int index : indexes) {
                if (result == null || !result.done().contains(generationKey(index))) {
                    partition(index).isClearLost = true;
                } else if (used.get(index) != null) {
                    partition(index).cleared(next);
                }
            }
            if (result != null && result.failures().isEmpty()) {
                return CompletableFuture.<@Nullable Void>completedFuture(null);
            }
            clearAgainUntilDone();
            return CompletableFuture.<@Nullable Void>failedFuture(
                    thrown == null ? result.failures().values().iterator().next() : Futures.cause(thrown));
        });
    }

    private void clearAgainUntilDone() {
        if (isClearingAgain.compareAndSet(false, true)) {
            LOG.warn(
                    "cache \"{}\": an eviction or clear failed. The entries are removed once the server answers", name);
            clearAgainLater();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The attempt itself handles its outcome.
    private void clearAgainLater() {
        TIMER.schedule(this::clearAgain, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    void end() {
        ended = true;
    }

    private void clearAgain() {
        if (ended) {
            return;
        }
        int[] lost = lost();
        if (lost.length > 0) {
            Futures.atEnd(
                    clear(lost),
                    (nothing, thrown) -> clearAgainLater(),
                    thrown -> LOG.warn(
                            "cache \"{}\": cannot remove entries left by a failed eviction or clear", name, thrown));
            return;
        }
        isClearingAgain.set(false);
        LOG.info("cache \"{}\": entries left by failed evictions and clears have been removed", name);
        if (lost().length > 0) {
            clearAgainUntilDone();
        }
    }

    private int[] lost() {
        return IntStream.range(0, COUNT)
                .filter(index -> used.get(index) != null && partition(index).isClearLost)
                .toArray();
    }
}
