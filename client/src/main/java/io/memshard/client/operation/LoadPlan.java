// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.Exptime;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Arguments and commands of {@code getOrLoad}. If {@code recacheBelow} is zero, items are reloaded only after expiry.
 */
record LoadPlan<V>(
        Calls calls,
        MetaCommands<V> commands,
        Function<? super V, Duration> ttl,
        Duration recacheBelow,
        LoadOptions options) {

    /** Number of renewals in each {@code claimTtl}; two of them may fail before the claim expires. */
    private static final int RENEWALS = 3;

    /** Divisor of the time to live: by default, an item is reloaded in the last tenth of its time to live. */
    private static final int RECACHED_PART = 10;

    private static final EncodedValue HELD = new EncodedValue(new byte[0], MetaReply.HELD_PLACE);

    static <V> LoadPlan<V> of(Calls calls, MetaCommands<V> commands, Duration ttl, LoadOptions options) {
        // Checked before the loader runs, because a value with an illegal time to live could not be stored.
        Exptime.of(ttl, Clock.systemUTC());
        Duration part = ttl.equals(Exptime.NEVER) ? Duration.ZERO : ttl.dividedBy(RECACHED_PART);
        Duration recacheBelow = part.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ZERO : part;
        Objects.requireNonNull(options, "options is null");
        return new LoadPlan<>(
                calls,
                commands,
                value -> ttl,
                Objects.requireNonNullElse(options.recacheBelow(), recacheBelow),
                options);
    }

    static <V> LoadPlan<V> of(
            Calls calls, MetaCommands<V> commands, Function<? super V, Duration> ttl, LoadOptions options) {
        Objects.requireNonNull(ttl, "ttl is null");
        Objects.requireNonNull(options, "options is null");
        return new LoadPlan<>(
                calls, commands, ttl, Objects.requireNonNullElse(options.recacheBelow(), Duration.ZERO), options);
    }

    Command<@Nullable MetaItem<V>> read(String key) {
        return commands.get(request(key), options.servesStale());
    }

    GetRequest request(String key) {
        GetRequest get =
                GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS).vivify(options.claimTtl());
        return recacheBelow.isZero() ? get : get.recacheBelow(recacheBelow);
    }

    boolean isAnswer(@Nullable MetaItem<V> found) {
        return found != null && !found.isWon() && !found.isPlaceholder() && (!found.isStale() || options.servesStale());
    }

    /** Returns whether a caller waits for a load of its process until that load ends. */
    boolean isSharedToItsEnd() {
        return !options.failsAfterWait() && !options.maxWait().isZero();
    }

    long deadlineNanos() {
        return System.nanoTime() + options.maxWait().toNanos();
    }

    long renewalNanos() {
        return options.claimTtl().dividedBy(RENEWALS).toNanos();
    }

    /** Returns the command that stores the placeholder again, unless another caller has changed the item. */
    Command<WriteResult> hold(String key, long casUnique) {
        return commands.store(SetRequest.of(key, HELD)
                .ttl(options.claimTtl())
                .ifCas(casUnique)
                .returningCas());
    }

    Command<WriteResult> store(String key, long casUnique, V value, EncodedValue encoded) {
        return commands.store(SetRequest.of(key, encoded).ttl(ttl.apply(value)).ifCas(casUnique));
    }

    @Nullable
    Command<?> discard(String key, MetaItem<V> found, long casUnique) {
        return found.isWon() ? commands.delete(DeleteRequest.of(key).ifCas(casUnique)) : null;
    }

    /** Returns the command that releases the claim; null without a claim, and for a value that others may still use. */
    @Nullable
    Command<?> release(String key, MetaItem<V> found, long casUnique) {
        if (found.isPlaceholder() || !found.isWon()) {
            return discard(key, found, casUnique);
        }
        DeleteRequest request = DeleteRequest.of(key).ifCas(casUnique);
        return found.isStale() ? commands.delete(request.invalidate()) : null;
    }
}
