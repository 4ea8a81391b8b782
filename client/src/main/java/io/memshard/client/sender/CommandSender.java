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
 * Sender of commands. The operations of a client send commands only through this interface. Connections, arrays of
 * connections, and decorators of these implement it. Threading: thread-safe.
 */
public interface CommandSender {

    /** Sends or queues a command whose reply becomes a future. */
    default <T> Reply<T> send(Command<T> command) {
        return send(command, SendMode.UNAWAITED);
    }

    /**
     * Sends or queues a command that was not sent before. Does not block. The reply contains failures of the
     * connection, which are not thrown.
     */
    <T> Reply<T> send(Command<T> command, SendMode mode);

    /**
     * Sends a command that was not sent before, and waits for its reply. The transport knows before it sends the
     * command that a thread waits.
     */
    default <T> T call(Command<T> command, long timeoutNanos) {
        return send(command, SendMode.AWAITED).await(timeoutNanos);
    }

    /**
     * Returns at least one sender, so that a large operation can divide its commands among them. An array returns its
     * ready connections, beginning with the connection that a command sent now would use. A decorator may return the
     * senders of its inner sender, each decorated.
     */
    default List<CommandSender> spread(SendMode mode) {
        return List.of(this);
    }

    /**
     * Groups the items of a large operation by the sender that takes their commands. There is at least one item. With
     * several servers, each server that has items has a group. Otherwise this sender takes all items.
     */
    default <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return Map.of(this, items);
    }

    /** Returns a future that a thread of the client completes after {@code nanos}, or when the client is closed. */
    CompletableFuture<@Nullable Void> pause(long nanos);

    default CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(toString(), 0, verb, key, phase);
    }
}
