// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Futures;
import io.memshard.client.connection.Reply;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A write of one item: one fleet forgets it, and then the other one executes the command.
 *
 * <p>Threading: immutable. {@link #end} is called once.
 */
final class MoveWrite<T> {

    private final Fleets fleets;
    private final Command<T> command;
    private final CommandSender forgets;
    private final CommandSender serves;
    private final Reply<StoreStatus> sent;

    /** Deletes in the fleet that forgets. */
    MoveWrite(Fleets fleets, Command<T> command, CommandSender forgets, CommandSender serves) {
        this.fleets = fleets;
        this.command = command;
        this.forgets = forgets;
        this.serves = serves;
        this.sent = forgets.send(ItemKey.of(command).delete());
    }

    CompletableFuture<T> end(Deadline deadline) {
        return Futures.compose(sent.toFuture(deadline.share(2)), (status, thrown) -> {
            MemcachedException failure = thrown == null ? null : Fleets.known(thrown);
            if (thrown != null && failure == null) {
                return CompletableFuture.<T>failedFuture(Futures.cause(thrown));
            }
            return failure == null ? execute(status, deadline) : afterFailure(failure, deadline);
        });
    }

    private CompletableFuture<T> execute(StoreStatus forgotten, Deadline deadline) {
        if (command.effect() != Effect.DELETE) {
            return serves.send(command).toFuture(deadline.left());
        }
        // It was deleted if either fleet had it.
        return serves.send(command.bare()).toFuture(deadline.left()).thenApply(reply -> {
            boolean served = reply != null && reply.status() == StoreStatus.DONE;
            return command.resultOf(served || forgotten != StoreStatus.DONE ? reply : new MetaReply(StoreStatus.DONE));
        });
    }

    /** Does what makes the serving fleet right, and what may be done twice; and fails in any case. */
    private CompletableFuture<T> afterFailure(MemcachedException failure, Deadline deadline) {
        boolean isDoneAnyway = switch (command.effect()) {
            case STORE, FILL, DELETE, INVALIDATE -> true;
            default -> false;
        };
        if (!isDoneAnyway) {
            return CompletableFuture.failedFuture(fleets.notForgotten(forgets, failure, false, context(failure)));
        }
        return serves.send(command).toFuture(deadline.left()).handle((result, thrown) -> {
            if (thrown != null) {
                Throwable second = Futures.cause(thrown);
                Futures.suppress(failure, second);
                fleets.counters().failed.increment();
                throw new CompletionException(second);
            }
            throw fleets.notForgotten(forgets, failure, true, context(failure));
        });
    }

    private CommandContext context(@Nullable MemcachedException failure) {
        CommandContext known = failure == null ? null : failure.context();
        return serves.context(command.verb(), command.key(), known == null ? Phase.QUEUED : known.phase());
    }
}
