// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.TimeToLive;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes of entries that succeed only if the cas unique is unchanged since a read. On a server with cas, a change
 * therefore never overwrites another caller's store or delete after that read.
 *
 * <p>Threading: thread-safe. Futures complete on the threads of the client.
 */
record CasEntries(Partitions partitions) {

    /** Longest time to live of a value that may already be outdated. */
    private static final Duration SHORT_TTL = Duration.ofSeconds(10);

    private static final EncodedValue PLACEHOLDER = new EncodedValue(new byte[0], MetaReply.HELD_PLACE);

    /**
     * Item found under a key.
     *
     * @param async client that found the item
     * @param casUnique 0 if the server runs without cas
     */
    record Found(AsyncMemcachedClient<EncodedValue> async, String key, EncodedValue item, long casUnique) {}

    private static CompletableFuture<@Nullable Found> find(AsyncMemcachedClient<EncodedValue> async, String key) {
        return async.gets(key)
                .thenApply(read -> read == null ? null : new Found(async, key, read.value(), read.casUnique()));
    }

    /**
     * Finds the item before a value is loaded. If no item exists, first stores an empty placeholder for {@code ttl}.
     * This method is for servers that cannot choose one loader: several callers may load, and only the first store
     * succeeds. The result is null if no item can be found afterwards.
     */
    CompletableFuture<@Nullable Found> findOrReserve(String text, Duration ttl) {
        Entries entries = partitions.of(text);
        return entries.inGeneration(generation -> {
            String key = entries.key(generation, text);
            return entries.async().add(key, PLACEHOLDER, ttl).thenCompose(added -> find(entries.async(), key));
        });
    }

    /**
     * Replaces the found item by a value, unless the item has changed meanwhile. A server without cas cannot detect a
     * change, so there the value lives for 10 seconds at most. Returns whether the value was stored.
     */
    CompletableFuture<Boolean> store(Found found, EncodedValue value, Duration ttl) {
        if (found.casUnique == 0) {
            boolean isLong = ttl.equals(TimeToLive.NEVER) || ttl.compareTo(SHORT_TTL) > 0;
            return found.async.set(found.key, value, isLong ? SHORT_TTL : ttl).thenApply(nothing -> true);
        }
        return found.async.cas(found.key, value, found.casUnique, ttl).thenApply(CasResult.STORED::equals);
    }

    CompletableFuture<Boolean> updateTtl(String text, EncodedValue value, Duration ttl) {
        return storeIf(
                text, item -> item.flags() == value.flags() && Arrays.equals(item.data(), value.data()), value, ttl);
    }

    /**
     * Removes an unusable entry, unless the entry has changed meanwhile. An item that has already expired is stored in
     * place of the entry.
     */
    CompletableFuture<Boolean> remove(String text, Predicate<EncodedValue> isUnusable) {
        return storeIf(text, isUnusable, PLACEHOLDER, TimeToLive.until(Instant.EPOCH));
    }

    private CompletableFuture<Boolean> storeIf(
            String text, Predicate<EncodedValue> condition, EncodedValue value, Duration ttl) {
        Entries entries = partitions.of(text);
        return entries.inGeneration(generation -> find(entries.async(), entries.key(generation, text))
                .thenCompose(found -> found != null && condition.test(found.item)
                        ? store(found, value, ttl)
                        : CompletableFuture.completedFuture(false)));
    }
}
