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
 * Changes of entries that depend on what is there, by its cas unique. So nothing that others have stored or deleted
 * meanwhile is lost. Each takes a read and a write, over every protocol.
 *
 * <p>Threading: thread-safe. Futures complete on the threads of the client.
 */
record CasEntries(Entries entries) {

    /** The longest life of what could be older than it should be. */
    private static final Duration SHORT_TTL = Duration.ofSeconds(10);

    private static final EncodedValue PLACE = new EncodedValue(new byte[0], MetaReply.HELD_PLACE);

    /**
     * What is under a key.
     *
     * @param casUnique 0 if the server runs without cas
     */
    record Found(String key, EncodedValue item, long casUnique) {}

    private AsyncMemcachedClient<EncodedValue> async() {
        return entries.async();
    }

    private CompletableFuture<@Nullable Found> find(String key) {
        return async().gets(key)
                .thenApply(read -> read == null ? null : new Found(key, read.value(), read.casUnique()));
    }

    /**
     * What is there before a value is loaded. If there is nothing, an empty item is stored for {@code ttl}, which holds
     * the place of the value. This is for servers without claims: others may load too, and the first one stores. Null
     * if nothing can be found there.
     */
    CompletableFuture<@Nullable Found> hold(String text, Duration ttl) {
        return entries.under(generation -> {
            String key = entries.key(generation, text);
            return async().add(key, PLACE, ttl).thenCompose(added -> find(key));
        });
    }

    /**
     * Stores a value in place of what was found, unless that was changed meanwhile. A server without cas cannot tell
     * that, so a value lives for a short time there. Returns whether it was stored.
     */
    CompletableFuture<Boolean> store(Found found, EncodedValue value, Duration ttl) {
        if (found.casUnique == 0) {
            boolean isLong = ttl.equals(TimeToLive.NEVER) || ttl.compareTo(SHORT_TTL) > 0;
            return async().set(found.key, value, isLong ? SHORT_TTL : ttl).thenApply(nothing -> true);
        }
        return async().cas(found.key, value, found.casUnique, ttl).thenApply(CasResult.STORED::equals);
    }

    /** Gives an entry another time to live, if it is still this value. */
    CompletableFuture<Boolean> retime(String text, EncodedValue value, Duration ttl) {
        return storeIf(
                text, item -> item.flags() == value.flags() && Arrays.equals(item.data(), value.data()), value, ttl);
    }

    /** Removes an entry that is of no use, unless it was changed meanwhile: an item that is over takes its place. */
    CompletableFuture<Boolean> remove(String text, Predicate<EncodedValue> isUseless) {
        return storeIf(text, isUseless, PLACE, TimeToLive.until(Instant.EPOCH));
    }

    private CompletableFuture<Boolean> storeIf(
            String text, Predicate<EncodedValue> condition, EncodedValue value, Duration ttl) {
        return entries.under(generation -> find(entries.key(generation, text))
                .thenCompose(found -> found != null && condition.test(found.item)
                        ? store(found, value, ttl)
                        : CompletableFuture.completedFuture(false)));
    }
}
