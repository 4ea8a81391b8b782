// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.Answer;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier.Result;
import io.memshard.sharding.copies.ItemKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Read for which the target fleet may choose the caller to load the value. If the source fleet has a value, the chosen
 * caller gets that value instead of loading, and the value replaces the claimed placeholder.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class MoveClaim<T> {

    private final Fleets fleets;
    private final ItemCommand<T> command;
    private final Reply<@Nullable MetaReply> sent;

    MoveClaim(Fleets fleets, ItemCommand<T> command) {
        this.fleets = fleets;
        this.command = command;
        this.sent = fleets.target().send(command.raw());
    }

    CompletableFuture<T> end(Deadline deadline) {
        return Futures.compose(sent.toFuture(deadline.share(2)), (reply, thrown) -> {
            if (thrown == null) {
                return answered(reply, deadline);
            }
            return fallBackToSource(Answer.known(thrown), deadline);
        });
    }

    private CompletableFuture<T> answered(@Nullable MetaReply reply, Deadline deadline) {
        ItemKey key = ItemKey.of(command);
        if (reply == null || reply.status() != StoreStatus.DONE) {
            // The target fleet has no item, and the command does not create a placeholder.
            return fleets.copyIfMissing(key, deadline)
                    .thenCompose(result -> result == Result.ABSENT
                            ? CompletableFuture.completedFuture(command.resultOf(reply))
                            : again(deadline));
        }
        if (!reply.isPlaceholder()) {
            fleets.counters().targetHits.increment();
        }
        return reply.has('W') && !reply.has('X') && reply.isPlaceholder() && reply.number('c') != 0
                ? fill(key, reply, deadline)
                : CompletableFuture.completedFuture(command.resultOf(reply));
    }

    private CompletableFuture<T> fill(ItemKey key, MetaReply won, Deadline deadline) {
        return Futures.compose(
                fleets.copier()
                        .read(key, fleets.source(), deadline)
                        .thenCompose(item -> item == null
                                ? CompletableFuture.completedFuture(Result.ABSENT)
                                : fleets.copier().fill(key, won.number('c'), item, fleets.target(), deadline)),
                (result, thrown) -> {
                    if (result == Result.COPIED || result == Result.REFUSED) {
                        fleets.count(result);
                        fleets.counters().sourceHits.increment();
                        return again(deadline);
                    }
                    if (thrown != null) {
                        fleets.counters().failed.increment();
                    }
                    // The caller then loads the value, which is correct regardless of what the source fleet has.
                    fleets.counters().misses.increment();
                    return CompletableFuture.completedFuture(command.resultOf(won));
                });
    }

    private CompletableFuture<T> again(Deadline deadline) {
        return fleets.target().send(command.again()).toFuture(deadline.left());
    }

    /** Completes the read with the value of the source fleet; fails if that value is missing or stale. */
    private CompletableFuture<T> fallBackToSource(MemcachedException failure, Deadline deadline) {
        fleets.counters().failed.increment();
        Command<@Nullable MetaReply> plain = command.plainRead();
        if (plain == null || !CopiesSender.isOfServer(failure)) {
            return CompletableFuture.failedFuture(failure);
        }
        return fleets.source().send(plain).toFuture(deadline.left()).handle((reply, thrown) -> {
            if (reply != null && reply.data() != null && !reply.isPlaceholder() && !reply.has('X')) {
                fleets.counters().sourceHits.increment();
                return command.resultOf(reply);
            }
            throw failure;
        });
    }
}
