// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sender of commands: a connection, an array of connections, or a decorator of senders. Threading: thread-safe. */
public interface CommandSender {

    default <T> Reply<T> send(Command<T> command) {
        return send(command, SendMode.UNAWAITED);
    }

    /** Sends or queues a new command, without blocking. If the connection fails, the reply fails. */
    <T> Reply<T> send(Command<T> command, SendMode mode);

    default <T> T call(Command<T> command, long timeoutNanos) {
        return send(command, SendMode.AWAITED).await(timeoutNanos);
    }

    /** Returns the senders among which a large operation divides its commands; the preferred sender first. */
    default List<CommandSender> spread(SendMode mode) {
        return List.of(this);
    }

    /** Groups items by the sender to their server. */
    default <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return Map.of(this, items);
    }

    /** Returns a future that a thread of the client completes after {@code nanos}, or when the client is closed. */
    CompletableFuture<@Nullable Void> pause(long nanos);

    default CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(toString(), 0, verb, key, phase);
    }
}
