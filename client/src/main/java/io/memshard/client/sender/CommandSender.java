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

/**
 * Sender of commands: a connection, an array of connections, or a sender composed of these. The operations of a client
 * send commands only through this interface. Threading: thread-safe.
 */
public interface CommandSender {

    /** Sends a command, or queues it to be sent. The caller takes the reply as a future. */
    default <T> Reply<T> send(Command<T> command) {
        return send(command, SendMode.UNAWAITED);
    }

    /**
     * Sends a command that was not sent before, or queues it. Does not block, and does not throw because of the
     * connection's state: the reply contains any failure.
     */
    <T> Reply<T> send(Command<T> command, SendMode mode);

    /**
     * Sends a command that was not sent before, and waits for its reply. The transport knows, before it sends the
     * command, that a thread waits for the reply.
     */
    default <T> T call(Command<T> command, long timeoutNanos) {
        return send(command, SendMode.AWAITED).await(timeoutNanos);
    }

    /**
     * Returns the senders that can share the commands of one large operation, at least one. An array returns its ready
     * connections, beginning with the connection that a command sent now would use. A decorator may return its inner
     * sender's senders, each decorated.
     */
    default List<CommandSender> spread(SendMode mode) {
        return List.of(this);
    }

    /**
     * Returns the items of one large operation, at least one, grouped by the sender that takes their commands. With
     * several servers, there is one group for each server that has items. Otherwise this sender takes all items.
     */
    default <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return Map.of(this, items);
    }

    /** Returns a future that a client's thread completes after {@code nanos}, or at once when the client is closed. */
    CompletableFuture<@Nullable Void> pause(long nanos);

    default CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(toString(), 0, verb, key, phase);
    }
}
