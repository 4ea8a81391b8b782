// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.Rerouting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Stores or deletes of many keys that were sent to one copy of the data. There is one command for each server that has
 * some of the keys. If a server fails, only its keys fail. If a server was removed before anything was sent to it, its
 * keys go to the servers that have them now.
 *
 * <p>Threading: immutable. {@link #answer} or {@link #answerByKey} is called once.
 */
public final class SentWrite {

    private final CommandSender copy;
    private final MetaMultiWrite command;
    private final List<Piece> pieces = new ArrayList<>();

    private record Piece(CommandSender server, MetaMultiWrite command, Reply<Outcomes> reply) {}

    /** Sends a command's request to the servers of {@code copy} that have its keys. */
    public SentWrite(CommandSender copy, MetaMultiWrite command) {
        this(copy, command, copy.byServer(command.writes(), Write::key));
    }

    private SentWrite(CommandSender copy, MetaMultiWrite command, Map<CommandSender, List<Write>> byServer) {
        this.copy = copy;
        this.command = command;
        byServer.forEach((server, writes) -> {
            MetaMultiWrite piece = command.only(writes);
            pieces.add(new Piece(server, piece, server.send(piece)));
        });
    }

    /** Returns the outcome of each key, in the order of the keys of the command. */
    public CompletableFuture<Outcomes> answer(Duration timeout) {
        Deadline deadline = Deadline.in(timeout.toNanos());
        List<CompletableFuture<Outcomes>> answers =
                pieces.stream().map(piece -> answer(piece, deadline)).toList();
        return Futures.all(answers).thenApply(this::merged);
    }

    /** Returns the outcome of each key. */
    public CompletableFuture<Map<String, Outcome>> answerByKey(Duration timeout) {
        return answer(timeout).thenApply(outcomes -> byKey(command.keys(), outcomes));
    }

    private static Map<String, Outcome> byKey(List<String> keys, Outcomes outcomes) {
        Map<String, Outcome> byKey = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            byKey.put(keys.get(i), outcomes.each().get(i));
        }
        return byKey;
    }

    private CompletableFuture<Outcomes> answer(Piece piece, Deadline deadline) {
        return Futures.compose(piece.reply.toFuture(deadline.left()), (outcomes, thrown) -> {
            if (outcomes != null) {
                return CompletableFuture.completedFuture(outcomes);
            }
            MemcachedException failure = SentRead.known(thrown);
            Map<CommandSender, List<Write>> now =
                    Rerouting.elsewhere(failure, piece.server, () -> copy.byServer(piece.command.writes(), Write::key));
            return now.isEmpty()
                    ? CompletableFuture.completedFuture(failed(piece.command, failure))
                    : new SentWrite(copy, piece.command, now).answer(deadline.left());
        });
    }

    private static Outcomes failed(MetaMultiWrite command, MemcachedException failure) {
        return new Outcomes(
                command.keys().stream()
                        .map(key -> Outcome.failed(failure.ofKey(key)))
                        .toList(),
                false);
    }

    private Outcomes merged(List<Outcomes> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        Map<String, Outcome> byKey = new HashMap<>();
        boolean undecided = false;
        for (int part = 0; part < parts.size(); part++) {
            undecided |= parts.get(part).undecided();
            byKey.putAll(byKey(pieces.get(part).command.keys(), parts.get(part)));
        }
        List<Outcome> each = new ArrayList<>();
        for (String key : command.keys()) {
            Outcome outcome = byKey.get(key);
            if (outcome == null) {
                throw new IllegalStateException("byServer has left out a key");
            }
            each.add(outcome);
        }
        return new Outcomes(each, undecided);
    }
}
