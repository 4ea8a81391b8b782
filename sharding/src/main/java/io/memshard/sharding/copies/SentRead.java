// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.Rerouting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Read of many keys that was sent to one copy of the data. There is one command for each server that has some of the
 * keys. If a server fails, only its keys fail. If a server was removed before anything was sent to it, its keys go to
 * the servers that have them now.
 *
 * <p>Threading: immutable. {@link #answer} is called once.
 */
final class SentRead<V> implements CopyRead.Sent<V> {

    private final CommandSender copy;
    private final MetaMultiGet<V> command;
    private final List<Piece<V>> pieces = new ArrayList<>();

    private record Piece<V>(CommandSender server, MetaMultiGet<V> command, Reply<FoundItems<V>> reply) {}

    /** Sends a command's request to the servers of {@code copy} that have its keys. */
    SentRead(CommandSender copy, MetaMultiGet<V> command) {
        this(copy, command, copy.byServer(command.keys(), Function.identity()));
    }

    private SentRead(CommandSender copy, MetaMultiGet<V> command, Map<CommandSender, List<String>> byServer) {
        this.copy = copy;
        this.command = command;
        byServer.forEach((server, keys) -> {
            MetaMultiGet<V> piece = command.only(keys);
            pieces.add(new Piece<>(server, piece, server.send(piece)));
        });
    }

    @Override
    public CompletableFuture<FoundItems<V>> answer(Duration timeout) {
        Deadline deadline = Deadline.in(timeout.toNanos());
        List<CompletableFuture<FoundItems<V>>> answers =
                pieces.stream().map(piece -> answer(piece, deadline)).toList();
        return Futures.all(answers).thenApply(each -> merged(command.keys(), each));
    }

    private CompletableFuture<FoundItems<V>> answer(Piece<V> piece, Deadline deadline) {
        return Futures.compose(piece.reply.toFuture(deadline.left()), (found, thrown) -> {
            if (found != null) {
                return CompletableFuture.completedFuture(ofKeys(piece, found));
            }
            MemcachedException failure = known(thrown);
            Map<CommandSender, List<String>> now = Rerouting.elsewhere(
                    failure, piece.server, () -> copy.byServer(piece.command.keys(), Function.identity()));
            return now.isEmpty()
                    ? CompletableFuture.completedFuture(
                            new FoundItems<>(Map.of(), List.of(), failures(piece.command, failure)))
                    : new SentRead<>(copy, piece.command, now).answer(deadline.left());
        });
    }

    private static <V> FoundItems<V> ofKeys(Piece<V> piece, FoundItems<V> found) {
        if (found.errors().isEmpty()) {
            return found;
        }
        Map<String, MemcachedException> failures = new LinkedHashMap<>(found.failures());
        found.errors()
                .forEach((key, error) -> failures.put(
                        key, error.toException(piece.server.context(piece.command.verb(), key, Phase.REPLIED))));
        return new FoundItems<>(found.hits(), found.tooLarge(), failures);
    }

    private static Map<String, MemcachedException> failures(MetaMultiGet<?> command, MemcachedException failure) {
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        command.keys().forEach(key -> failures.put(key, failure.ofKey(key)));
        return failures;
    }

    /** Returns the failure if it is a {@link MemcachedException}; throws any other. */
    static MemcachedException known(@Nullable Throwable thrown) {
        Throwable cause = thrown == null ? new IllegalStateException("no result") : thrown;
        if (Futures.cause(cause) instanceof MemcachedException failure) {
            return failure;
        }
        throw new CompletionException(Futures.cause(cause));
    }

    private static <V> FoundItems<V> merged(List<String> keys, List<FoundItems<V>> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        Map<String, V> hits = new LinkedHashMap<>();
        List<String> tooLarge = new ArrayList<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        Map<String, V> found = new LinkedHashMap<>();
        for (FoundItems<V> part : parts) {
            found.putAll(part.hits());
            tooLarge.addAll(part.tooLarge());
            failures.putAll(part.failures());
        }
        for (String key : keys) {
            V value = found.get(key);
            if (value != null) {
                hits.put(key, value);
            }
        }
        return new FoundItems<>(hits, tooLarge, failures);
    }
}
