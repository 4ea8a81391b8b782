// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Backoff;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Algorithm of {@code MemcachedClient.getOrLoad}. A plan makes the decisions of a caller, and {@link Load} executes
 * them.
 *
 * <p>Each caller reads the item by {@code mg} with the flags {@code N} and {@code R}. If the item is missing,
 * invalidated or near its expiry, the server makes one of the callers the winner. For a missing item, the server
 * creates an empty placeholder. The winner loads the value, and stores it only if the item's cas unique shows no change
 * by another caller. Each other caller takes the existing value, or reads again while only a placeholder exists. One of
 * these callers becomes the winner if the first winner fails or takes too long.
 *
 * <p>The winner renews its placeholder while it loads: {@link Renewal}. Callers of the same process share the loaded
 * value: {@link RunningLoad}.
 *
 * <p>Source: protocol.txt, section "Meta Get", on stale items and early recache.
 *
 * <p>Threading: immutable.
 */
final class LoadPlan<V> {

    public static final String OPERATION = "getOrLoad";

    /** Number of renewals in each {@code claimTtl}: two may fail before the placeholder expires. */
    private static final int RENEWALS = 3;

    /** Divisor of the time to live. By default, an item is reloaded in the last tenth of its time to live. */
    private static final int RECACHED_PART = 10;

    private static final EncodedValue HELD = new EncodedValue(new byte[0], MetaReply.HELD_PLACE);

    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(10), Duration.ofMillis(250));

    private final String key;
    private final String stored;
    private final CommandSender sender;
    private final Function<? super V, Duration> ttl;
    private final LoadOptions options;
    private final GetRequest request;

    public LoadPlan(CommandSender sender, String key, String stored, Duration ttl, LoadOptions options) {
        this(sender, key, stored, value -> ttl, options, recacheBelow(ttl));
        // Checked before the loader runs: with an illegal time to live, its value could not be stored.
        SetRequest.of(stored, "").ttl(ttl);
    }

    /**
     * Creates a plan whose time to live depends on the value. By default, such an item is not reloaded before it
     * expires.
     */
    public LoadPlan(
            CommandSender sender, String key, String stored, Function<? super V, Duration> ttl, LoadOptions options) {
        this(sender, key, stored, Objects.requireNonNull(ttl, "ttl is null"), options, Duration.ZERO);
    }

    private LoadPlan(
            CommandSender sender,
            String key,
            String stored,
            Function<? super V, Duration> ttl,
            LoadOptions options,
            Duration recacheBelow) {
        Objects.requireNonNull(options, "options is null");
        this.key = key;
        this.stored = stored;
        this.sender = sender;
        this.ttl = ttl;
        this.options = options;
        GetRequest get =
                GetRequest.of(stored).returning(ItemField.VALUE, ItemField.CAS).vivify(options.claimTtl());
        Duration chosen = Objects.requireNonNullElse(options.recacheBelow(), recacheBelow);
        this.request = chosen.isZero() ? get : get.recacheBelow(chosen);
    }

    /** Returns the remaining time to live below which an item is loaded again by default; zero for never. */
    private static Duration recacheBelow(Duration ttl) {
        if (Objects.requireNonNull(ttl, "ttl is null").equals(Exptime.NEVER)) {
            return Duration.ZERO;
        }
        Duration part = ttl.dividedBy(RECACHED_PART);
        return part.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ZERO : part;
    }

    String key() {
        return key;
    }

    String stored() {
        return stored;
    }

    String shownKey() {
        return sender.context("mg", stored, Phase.QUEUED).shownKey();
    }

    GetRequest request() {
        return request;
    }

    boolean servesStale() {
        return options.servesStale();
    }

    /** Returns whether the found item is the result, so that this caller neither loads nor waits. */
    boolean isAnswer(@Nullable MetaItem<V> found) {
        return found != null && !found.isWon() && !found.isPlaceholder() && (!found.isStale() || options.servesStale());
    }

    /**
     * Returns whether this caller waits for another caller's load; if false, this caller loads. {@code isShared} is
     * true for a load of this process. {@code leftNanos} is zero or less after the end of the wait.
     */
    boolean isWaiting(@Nullable MetaItem<V> found, boolean isShared, long leftNanos) {
        if (found == null) {
            return isShared && leftNanos > 0;
        }
        needCas(found);
        if (found.isWon()) {
            return false;
        }
        if (leftNanos <= 0 && options.failsAfterWait()) {
            throw new MemcachedTimeoutException(
                    "another caller has been loading " + shownKey() + " for longer than maxWait=" + options.maxWait(),
                    null,
                    null);
        }
        return leftNanos > 0;
    }

    /** Throws before the load if the item has no cas unique, because a store or a release needs the cas unique. */
    private void needCas(MetaItem<V> found) {
        if (found.casUnique() == 0) {
            throw new MemcachedUnsupportedException(
                    "the cas unique of " + shownKey() + " is 0: the server runs without cas (memcached -C),"
                            + " and getOrLoad would overwrite values of others");
        }
    }

    @Nullable
    V value(@Nullable MetaItem<V> found) {
        return found == null ? null : found.value();
    }

    /** Returns the wait before the read is repeated. {@code attempt} counts from 0. */
    long pauseNanos(int attempt, long leftNanos) {
        return Math.min(leftNanos, PAUSES.delayNanos(attempt, ThreadLocalRandom.current()));
    }

    long deadlineNanos() {
        return System.nanoTime() + options.maxWait().toNanos();
    }

    /**
     * Returns the deadline after another caller of this process has failed to load. If the wait for that load had no
     * limit, {@code maxWait} begins anew. Otherwise all callers that have waited would load at once.
     */
    long deadlineNanosAfterFailure(long deadlineNanos) {
        return isSharedToItsEnd() ? deadlineNanos() : deadlineNanos;
    }

    /**
     * Returns the time that a caller may still wait. The time is unlimited for a caller that shares a load, unless the
     * options demand a failure after the wait, or no wait.
     */
    long leftNanos(long deadlineNanos, boolean isShared) {
        return isShared && isSharedToItsEnd() ? Long.MAX_VALUE : deadlineNanos - System.nanoTime();
    }

    private boolean isSharedToItsEnd() {
        return !options.failsAfterWait() && !options.maxWait().isZero();
    }

    @Nullable
    V value(@Nullable EncodedValue loaded, MetaCommands<V> commands) {
        return loaded == null
                ? null
                : commands.decode(stored, new EncodedValue(loaded.data().clone(), loaded.flags()));
    }

    long renewalNanos() {
        return options.claimTtl().dividedBy(RENEWALS).toNanos();
    }

    long maxLoadNanos() {
        return options.maxLoad().toNanos();
    }

    /** Returns the request that renews a placeholder, unless another caller has changed the item. */
    SetRequest<EncodedValue> hold(long casUnique) {
        return SetRequest.of(stored, HELD)
                .ttl(options.claimTtl())
                .ifCas(casUnique)
                .returningCas();
    }

    SetRequest<EncodedValue> store(long casUnique, V value, EncodedValue encoded) {
        return SetRequest.of(stored, encoded).ttl(ttl.apply(value)).ifCas(casUnique);
    }

    /** Returns the request that deletes an item without a value to store; null if this caller has not won the item. */
    @Nullable
    DeleteRequest discard(MetaItem<V> found, long casUnique) {
        return found.isWon() ? DeleteRequest.of(stored).ifCas(casUnique) : null;
    }

    /**
     * Returns the request that gives the claim back after a failure, so that another caller can load; null if this
     * caller has not won the item. Also returns null if the other callers have a value that is not stale. They use this
     * value until it expires, instead of repeating the failure.
     */
    @Nullable
    DeleteRequest release(MetaItem<V> found, long casUnique) {
        DeleteRequest discard = discard(found, casUnique);
        if (discard == null || found.isPlaceholder()) {
            return discard;
        }
        return found.isStale() ? discard.invalidate() : null;
    }
}
