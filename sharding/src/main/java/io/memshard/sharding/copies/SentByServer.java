// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.RoutingSender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Command on many keys, sent to one copy of the data as one command per server. Immutable. */
final class SentByServer<I, A, R> implements Sent<R> {

    interface Kind<I, A, R> {

        String key(I item);

        Command<A> command(List<I> items);

        R answer(CommandSender server, List<I> items, A result);

        R failed(List<I> items, MemcachedException failure);

        R merged(List<I> items, List<R> parts);
    }

    private record Piece<I, A>(CommandSender server, List<I> items, Reply<A> reply) {}

    private final CommandSender copy;
    private final Kind<I, A, R> kind;
    private final List<I> items;
    private final List<Piece<I, A>> pieces = new ArrayList<>();

    SentByServer(CommandSender copy, Kind<I, A, R> kind, List<I> items) {
        this(copy, kind, items, copy.byServer(items, kind::key));
    }

    private SentByServer(CommandSender copy, Kind<I, A, R> kind, List<I> items, Map<CommandSender, List<I>> byServer) {
        this.copy = copy;
        this.kind = kind;
        this.items = items;
        byServer.forEach((server, some) -> pieces.add(new Piece<>(server, some, server.send(kind.command(some)))));
    }

    @Override
    public CompletableFuture<R> end(Deadline deadline) {
        List<CompletableFuture<R>> answers =
                pieces.stream().map(piece -> answer(piece, deadline)).toList();
        return Futures.all(answers).thenApply(parts -> parts.size() == 1 ? parts.get(0) : kind.merged(items, parts));
    }

    private CompletableFuture<R> answer(Piece<I, A> piece, Deadline deadline) {
        return Futures.compose(piece.reply.toFuture(deadline.left()), (result, thrown) -> {
            if (thrown == null) {
                return CompletableFuture.completedFuture(kind.answer(piece.server, piece.items, result));
            }
            MemcachedException failure = Answer.known(thrown);
            Map<CommandSender, List<I>> now =
                    RoutingSender.elsewhere(failure, piece.server, () -> copy.byServer(piece.items, kind::key));
            return now.isEmpty()
                    ? CompletableFuture.completedFuture(kind.failed(piece.items, failure))
                    : new SentByServer<>(copy, kind, piece.items, now).end(deadline);
        });
    }
}
