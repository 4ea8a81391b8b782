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
 * Takes commands: a connection, an array of connections, or anything composed of these. The one seam that everything
 * below the operations of a client stands behind.
 *
 * <p>Threading: thread-safe. {@link #send} never blocks; {@link #call} waits for the reply.
 */
public interface CommandSender {

    /** Sends a command whose reply becomes a future, or queues it to be sent. */
    default <T> Reply<T> send(Command<T> command) {
        return send(command, SendMode.UNAWAITED);
    }

    /**
     * Sends a command, or queues it to be sent.
     *
     * <p>Failure: never throws for a state of the connection; what goes wrong is in the reply.
     *
     * @param command a command not sent before
     */
    <T> Reply<T> send(Command<T> command, SendMode mode);

    /**
     * Sends a command and waits for its reply. The transport knows from the start that a thread waits.
     *
     * @param command a command not sent before
     */
    default <T> T call(Command<T> command, long timeoutNanos) {
        return send(command, SendMode.AWAITED).await(timeoutNanos);
    }

    /**
     * Returns the senders that can share the commands of one large operation; never empty. An array returns its ready
     * connections, first the one that a command sent now would use. Any other sender returns itself.
     *
     * @param mode how the commands are sent
     */
    default List<CommandSender> spread(SendMode mode) {
        return List.of(this);
    }

    /**
     * Returns the items of one large operation, grouped by the sender that takes their commands. With many servers,
     * each has a group; otherwise this sender takes all. No group is empty.
     *
     * @param items at least one
     * @param key the key of an item
     */
    default <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return Map.of(this, items);
    }

    /** Returns a future that a thread of the client completes after that time, or at once when the client is closed. */
    CompletableFuture<@Nullable Void> pause(long nanos);

    /** Returns where commands sent here go, as their failures say it. */
    default CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(toString(), 0, verb, key, phase);
    }
}
