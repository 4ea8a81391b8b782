// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.sender.CommandSender;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copier of items from a source to a target. The copier never restores a deleted item. Thread-safe.
 *
 * <p>The copier first claims a missing item: {@code mg N} stores an empty placeholder at the target. Then the copier
 * reads the source, and replaces the placeholder if its cas unique is unchanged. If another caller stores or deletes
 * the item at the target after the claim, the target therefore rejects the copy. Each delete is sent to the source and,
 * after the reply, to the target. If the claim comes after the delete at the target, the read of the source misses.
 *
 * <p>A caller that deletes an item only at the target must first make {@code isAllowed} return false. The copier calls
 * {@code isAllowed} between its claim and its read. If the result is true, the claim came before the delete, so the
 * target rejects the copy.
 *
 * <p>A target without meta commands or without cas supports no claims. The copier then adds the item, and reads the
 * source again. If the source no longer has the same value, the copier deletes the added item, but another caller may
 * have read it.
 */
public final class ItemCopier {

    public enum Result {
        COPIED,
        THERE,
        ABSENT,
        /** Result if another caller copies or loads the item. */
        BUSY,
        REFUSED
    }

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Clock clock;
    private final Duration ttlIfUnknown;
    private final BooleanSupplier isAllowed;
    private final int maxAtATime;
    private final AtomicInteger running = new AtomicInteger();
    private final Set<ItemKey> keys = ConcurrentHashMap.newKeySet();

    public ItemCopier(Clock clock, Duration ttlIfUnknown, BooleanSupplier isAllowed, int maxAtATime) {
        this.clock = clock;
        this.ttlIfUnknown = ttlIfUnknown;
        this.isAllowed = isAllowed;
        this.maxAtATime = maxAtATime;
    }

    int running() {
        return running.get();
    }

    void start(
            ItemKey key,
            CommandSender from,
            CommandSender to,
            Deadline deadline,
            Consumer<Result> copied,
            Consumer<? super Throwable> failed) {
        if (running.incrementAndGet() > maxAtATime || !keys.add(key)) {
            running.decrementAndGet();
            return;
        }
        Runnable over = () -> {
            keys.remove(key);
            running.decrementAndGet();
        };
        try {
            Futures.atEnd(
                    copy(key, from, to, deadline),
                    (result, thrown) -> {
                        over.run();
                        if (thrown == null) {
                            copied.accept(result);
                        } else {
                            failed.accept(Futures.cause(thrown));
                        }
                    },
                    failed);
        } catch (Throwable e) {
            over.run();
            failed.accept(e);
        }
    }

    public CompletableFuture<Result> copy(ItemKey key, CommandSender from, CommandSender to, Deadline deadline) {
        return orIfUnsupported(
                send(to, key.claim(), deadline).thenCompose(claim -> afterClaim(key, from, to, claim, deadline)),
                () -> add(key, from, to, deadline));
    }

    private CompletableFuture<Result> afterClaim(
            ItemKey key, CommandSender from, CommandSender to, MetaReply claim, Deadline deadline) {
        if (!isWonPlace(claim)) {
            if (claim.has('W')) {
                // The item is stale. The returned claim lets the next reader load the item.
                return done(send(to, key.giveBack(claim.number('c')), deadline), Result.THERE);
            }
            return CompletableFuture.completedFuture(isPlace(claim) ? Result.BUSY : Result.THERE);
        }
        long casUnique = claim.number('c');
        if (casUnique == 0) {
            // The server runs without cas, so no claim is possible.
            return send(to, key.delete(), deadline).thenCompose(deleted -> add(key, from, to, deadline));
        }
        return fill(key, casUnique, from, to, deadline);
    }

    private CompletableFuture<Result> fill(
            ItemKey key, long casUnique, CommandSender from, CommandSender to, Deadline deadline) {
        return read(key, from, deadline)
                .thenCompose(item -> item == null
                        ? done(send(to, key.giveUp(casUnique), deadline), Result.ABSENT)
                        : fill(key, casUnique, item, to, deadline))
                .exceptionallyCompose(thrown -> done(send(to, key.giveUp(casUnique), deadline.anew()), Result.ABSENT)
                        .handle((gone, second) -> {
                            throw new CompletionException(Futures.cause(thrown));
                        }));
    }

    /** Replaces the placeholder that has this {@code casUnique}, which must not be 0. */
    public CompletableFuture<Result> fill(
            ItemKey key, long casUnique, MetaSet.Item item, CommandSender to, Deadline deadline) {
        return send(to, key.fill(casUnique, item), deadline)
                .thenApply(reply -> reply.status() == StoreStatus.DONE ? Result.COPIED : Result.REFUSED);
    }

    private CompletableFuture<Result> add(ItemKey key, CommandSender from, CommandSender to, Deadline deadline) {
        return read(key, from, deadline).thenCompose(item -> {
            if (item == null) {
                return CompletableFuture.completedFuture(Result.ABSENT);
            }
            return send(to, key.add(item), deadline)
                    .thenCompose(status -> status == StoreStatus.DONE
                            ? verify(key, item, from, to, deadline)
                            : CompletableFuture.completedFuture(Result.THERE));
        });
    }

    private CompletableFuture<Result> verify(
            ItemKey key, MetaSet.Item added, CommandSender from, CommandSender to, Deadline deadline) {
        return read(key, from, deadline)
                .handle((item, thrown) -> thrown == null && item != null && Arrays.equals(item.data(), added.data()))
                .thenCompose(isSame -> isSame
                        ? CompletableFuture.completedFuture(Result.COPIED)
                        : done(send(to, key.delete(), deadline.anew()), Result.REFUSED));
    }

    /** Reads the item after a claim. Returns null if no item may be copied. */
    public CompletableFuture<MetaSet.@Nullable Item> read(ItemKey key, CommandSender from, Deadline deadline) {
        if (!isAllowed.getAsBoolean()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<@Nullable MetaReply> read =
                send(from, key.read(), deadline).thenApply(reply -> reply);
        return orIfUnsupported(read, () -> send(from, key.readClassic(), deadline))
                .thenApply(reply -> reply == null ? null : item(reply));
    }

    private MetaSet.@Nullable Item item(MetaReply reply) {
        byte[] data = reply.data();
        if (data == null || reply.isPlaceholder() || reply.has('X')) {
            return null;
        }
        if (!reply.has('t')) {
            return new MetaSet.Item(data, (int) reply.number('f'), Exptime.of(ttlIfUnknown, clock));
        }
        long seconds = reply.number('t');
        if (seconds == 0) {
            return null;
        }
        return new MetaSet.Item(data, (int) reply.number('f'), seconds < 0 ? 0 : exptime(seconds));
    }

    private int exptime(long seconds) {
        long longest = Integer.MAX_VALUE - clock.instant().getEpochSecond();
        return Exptime.of(Duration.ofSeconds(Math.min(seconds, longest)), clock);
    }

    public CompletableFuture<Result> copyIfMissing(
            ItemKey key, CommandSender from, CommandSender to, Deadline deadline) {
        return copyIfMissing(key, from, to, deadline, FIRST_PAUSE_NANOS);
    }

    private CompletableFuture<Result> copyIfMissing(
            ItemKey key, CommandSender from, CommandSender to, Deadline deadline, long pauseNanos) {
        return look(key, to, deadline)
                .thenCompose(atTarget -> atTarget != Result.ABSENT
                        ? CompletableFuture.completedFuture(atTarget)
                        : look(key, from, deadline)
                                .thenCompose(atSource -> atSource == Result.ABSENT
                                        ? CompletableFuture.completedFuture(Result.ABSENT)
                                        : copy(key, from, to, deadline)))
                .thenCompose(result -> {
                    if (result != Result.BUSY && result != Result.REFUSED) {
                        return CompletableFuture.completedFuture(result);
                    }
                    if (deadline.isOver()) {
                        throw new MemcachedTimeoutException(
                                "other callers loaded, copied or changed the item at each attempt to copy it, until the"
                                        + " requestTimeout expired: repeat the call, or set a longer requestTimeout",
                                to.context("mg", key.text(), Phase.REPLIED),
                                null);
                    }
                    return to.pause(pauseNanos)
                            .thenCompose(over -> copyIfMissing(
                                    key, from, to, deadline, Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS)));
                });
    }

    private static CompletableFuture<Result> look(ItemKey key, CommandSender place, Deadline deadline) {
        return orIfUnsupported(
                send(place, key.look(), deadline).thenApply(reply -> {
                    if (reply.status() != StoreStatus.DONE) {
                        return Result.ABSENT;
                    }
                    return isPlace(reply) ? Result.BUSY : Result.THERE;
                }),
                () -> send(place, key.readClassic(), deadline)
                        .thenApply(reply -> reply == null ? Result.ABSENT : Result.THERE));
    }

    /** Returns whether the reply is about a placeholder, which is an empty item. */
    private static boolean isPlace(MetaReply reply) {
        return reply.number('s') == 0 && (reply.has('W') || reply.has('Z'));
    }

    private static boolean isWonPlace(MetaReply reply) {
        return isPlace(reply) && reply.has('W') && !reply.has('X');
    }

    private static <R> CompletableFuture<R> send(CommandSender to, Command<R> command, Deadline deadline) {
        return to.send(command).toFuture(deadline.left());
    }

    private static CompletableFuture<Result> done(CompletableFuture<?> step, Result result) {
        return step.thenApply(reply -> result);
    }

    private static <R extends @Nullable Object> CompletableFuture<R> orIfUnsupported(
            CompletableFuture<R> step, Supplier<CompletableFuture<R>> other) {
        return step.exceptionallyCompose(thrown -> {
            Throwable cause = Futures.cause(thrown);
            return cause instanceof MemcachedUnsupportedException ? other.get() : CompletableFuture.failedFuture(cause);
        });
    }
}
