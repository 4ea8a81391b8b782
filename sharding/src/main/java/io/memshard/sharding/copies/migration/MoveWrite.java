// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Write of one item: one fleet executes the command, and the other fleet deletes the item. The source fleet comes
 * first, whether it executes or deletes, and the target fleet follows after the reply of the source. {@link Migration}
 * explains why.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class MoveWrite<T> {

    private final Fleets fleets;
    private final ItemCommand<T> command;
    private final CommandSender primary;
    private final CommandSender secondary;
    private final Function<Deadline, CompletableFuture<T>> rest;

    MoveWrite(Fleets fleets, ItemCommand<T> command, CommandSender primary) {
        this.fleets = fleets;
        this.command = command;
        this.primary = primary;
        this.secondary = fleets.other(primary);
        if (primary == fleets.source()) {
            Reply<@Nullable MetaReply> served = primary.send(command.raw());
            this.rest = deadline -> Futures.compose(
                    served.toFuture(deadline.share(2)), (reply, thrown) -> afterPrimary(reply, thrown, deadline));
        } else {
            Reply<StoreStatus> deleted = secondary.send(delete());
            this.rest = deadline -> Futures.compose(
                    deleted.toFuture(deadline.share(2)), (status, thrown) -> afterDelete(status, thrown, deadline));
        }
    }

    private Command<StoreStatus> delete() {
        return ItemKey.of(command).delete();
    }

    CompletableFuture<T> end(Deadline deadline) {
        return rest.apply(deadline);
    }

    private CompletableFuture<T> afterPrimary(
            @Nullable MetaReply reply, @Nullable Throwable thrown, Deadline deadline) {
        if (thrown != null ? wasNotSent(Futures.cause(thrown)) : !hasChanged(reply)) {
            return settled(reply, thrown);
        }
        return Futures.compose(secondary.send(delete()).toFuture(deadline.left()), (status, second) -> {
            if (second == null) {
                return settled(result(reply, status), thrown);
            }
            if (thrown != null) {
                Futures.suppress(Futures.cause(second), Futures.cause(thrown));
                return settled(reply, thrown);
            }
            MemcachedException failure = Fleets.known(second);
            return settled(
                    reply, failure == null ? second : fleets.notDeleted(secondary, failure, true, context(failure)));
        });
    }

    /**
     * Returns whether a failure proves that the server has not seen the command. After any other failure, this is
     * unknown.
     */
    static boolean wasNotSent(Throwable failure) {
        return failure instanceof MemcachedException known && known.isSafeToRetry();
    }

    /**
     * Returns whether the item may have changed. For a store, delete or invalidation the result is always true: even if
     * this fleet has no item, the other fleet may have one.
     */
    private boolean hasChanged(@Nullable MetaReply reply) {
        return switch (command.effect()) {
            case STORE, DELETE, INVALIDATE -> true;
            default -> isDone(reply);
        };
    }

    private static boolean isDone(@Nullable MetaReply reply) {
        return reply != null && reply.status() == StoreStatus.DONE;
    }

    private CompletableFuture<T> settled(@Nullable MetaReply reply, @Nullable Throwable thrown) {
        return thrown == null
                ? CompletableFuture.completedFuture(command.resultOf(reply))
                : CompletableFuture.failedFuture(Futures.cause(thrown));
    }

    /** Returns the reply of both fleets together: an item was deleted if either fleet had the item. */
    private @Nullable MetaReply result(@Nullable MetaReply served, StoreStatus deleted) {
        boolean isDeleted = command.effect() == Effect.DELETE && deleted == StoreStatus.DONE;
        return isDeleted && !isDone(served) ? new MetaReply(StoreStatus.DONE) : served;
    }

    private CompletableFuture<T> afterDelete(StoreStatus deleted, @Nullable Throwable thrown, Deadline deadline) {
        MemcachedException failure = thrown == null ? null : Fleets.known(thrown);
        if (thrown != null) {
            return failure == null
                    ? CompletableFuture.failedFuture(Futures.cause(thrown))
                    : afterFailure(failure, deadline);
        }
        return primary.send(command.raw())
                .toFuture(deadline.left())
                .thenApply(reply -> command.resultOf(result(reply, deleted)));
    }

    /**
     * Executes the command in the serving fleet if the result there is correct without the delete, and if the caller
     * may repeat the command. The write fails in any case.
     */
    private CompletableFuture<T> afterFailure(MemcachedException failure, Deadline deadline) {
        boolean isDoneAnyway = switch (command.effect()) {
            case STORE, FILL, DELETE, INVALIDATE -> true;
            default -> false;
        };
        if (!isDoneAnyway) {
            return CompletableFuture.failedFuture(fleets.notDeleted(secondary, failure, false, context(failure)));
        }
        return primary.send(command.again()).toFuture(deadline.left()).handle((result, thrown) -> {
            if (thrown != null) {
                Throwable second = Futures.cause(thrown);
                Futures.suppress(failure, second);
                fleets.counters().failed.increment();
                throw new CompletionException(second);
            }
            throw fleets.notDeleted(secondary, failure, true, context(failure));
        });
    }

    private CommandContext context(MemcachedException failure) {
        CommandContext known = failure.context();
        return primary.context(command.verb(), command.key(), known == null ? Phase.QUEUED : known.phase());
    }
}
