// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Reply;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcome;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.protocol.MetaMultiWrite.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stores or deletes of many keys that were sent to one copy of the data: a command for each of its servers that has
 * some of them. A server that fails fails only its keys.
 *
 * <p>Threading: immutable. {@link #answer} is called once.
 */
@SuppressWarnings("exports") // For our own modules, which see what commands are.
public final class SentWrite {

    private final MetaMultiWrite command;
    private final List<Piece> pieces = new ArrayList<>();

    private record Piece(MetaMultiWrite command, Reply<Outcomes> reply) {}

    /** Sends a command's request to the servers of {@code copy} that have its keys. */
    public SentWrite(CommandSender copy, MetaMultiWrite command) {
        this.command = command;
        copy.byServer(command.writes(), Write::key).forEach((server, writes) -> {
            MetaMultiWrite piece = command.only(writes);
            pieces.add(new Piece(piece, server.send(piece)));
        });
    }

    /** The outcome of each key, in the order of the keys of the command. */
    public CompletableFuture<Outcomes> answer(Duration timeout) {
        List<CompletableFuture<Outcomes>> answers = new ArrayList<>();
        for (Piece piece : pieces) {
            answers.add(piece.reply
                    .toFuture(timeout)
                    .handle((outcomes, thrown) -> outcomes != null ? outcomes : failed(piece.command, thrown)));
        }
        return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
                .thenApply(ended ->
                        merged(answers.stream().map(CompletableFuture::join).toList()));
    }

    private static Outcomes failed(MetaMultiWrite command, @Nullable Throwable thrown) {
        MemcachedException failure = SentRead.known(command, thrown);
        return new Outcomes(
                command.writes().stream()
                        .map(write -> Outcome.failed(failure.ofKey(write.key())))
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
            List<Write> writes = pieces.get(part).command.writes();
            List<Outcome> outcomes = parts.get(part).each();
            undecided |= parts.get(part).undecided();
            for (int i = 0; i < writes.size(); i++) {
                byKey.put(writes.get(i).key(), outcomes.get(i));
            }
        }
        List<Outcome> each = new ArrayList<>();
        for (Write write : command.writes()) {
            Outcome outcome = byKey.get(write.key());
            if (outcome == null) {
                throw new IllegalStateException("byServer has left out a key");
            }
            each.add(outcome);
        }
        return new Outcomes(each, undecided);
    }
}
