// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Read of one item: from the target fleet, then from the source.
 *
 * <p>Threading: used by one thread at a time: the caller, then the threads that deliver the answers.
 */
final class MoveRead<T> {

    private final Fleets fleets;
    private final ItemCommand<T> command;

    /** Failure of the target fleet; null if the target fleet has answered. */
    private @Nullable MemcachedException failure;

    MoveRead(Fleets fleets, ItemCommand<T> command) {
        this.fleets = fleets;
        this.command = command;
    }

    /**
     * Waits for the target fleet, then queries the source if necessary.
     *
     * @param reply the reply of the target fleet
     */
    CompletableFuture<T> end(Reply<T> reply, Deadline deadline) {
        return Futures.compose(reply.toFuture(deadline.share(2)), (found, thrown) -> {
            if (thrown == null && found != null) {
                fleets.counters().targetHits.increment();
                return CompletableFuture.completedFuture(found);
            }
            if (thrown != null && Fleets.known(thrown) == null) {
                return CompletableFuture.<T>failedFuture(Futures.cause(thrown));
            }
            neededSource(thrown == null ? null : Fleets.known(thrown));
            return readSource(deadline);
        });
    }

    /**
     * Records the failure of the target fleet; null for a miss. Throws the failure if the source fleet cannot succeed
     * either.
     */
    void neededSource(@Nullable MemcachedException thrown) {
        if (thrown != null) {
            fleets.counters().failed.increment();
            if (!CopiesSender.isOfServer(thrown)) {
                throw thrown;
            }
        }
        failure = thrown;
    }

    private CompletableFuture<T> readSource(Deadline deadline) {
        return fleets.source().send(command.again()).toFuture(deadline.left()).handle((found, thrown) -> {
            MemcachedException second = thrown == null ? null : Fleets.known(thrown);
            if (thrown != null && second == null) {
                throw new CompletionException(Futures.cause(thrown));
            }
            return afterSource(found, second, deadline);
        });
    }

    @SuppressWarnings("NullAway") // The result of such a command is null on a miss.
    T afterSource(@Nullable T found, @Nullable MemcachedException second, Deadline deadline) {
        MemcachedException first = failure;
        if (second != null) {
            fleets.counters().failed.increment();
            MemcachedException thrown = first == null ? second : first;
            Futures.suppress(second, thrown);
            throw thrown;
        }
        if (found != null) {
            fleets.counters().sourceHits.increment();
            if (first == null) {
                fleets.copyInBackground(ItemKey.of(command), deadline);
            }
            return found;
        }
        if (first != null) {
            throw first;
        }
        fleets.counters().misses.increment();
        return found;
    }
}
