// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands: a connection, an array of connections, or whatever is composed of such. The one seam that everything
 * below the operations of a client stands behind.
 *
 * <p>Threading: thread-safe. {@link #send} never blocks; {@link #call} waits for the reply.
 */
public interface CommandSender {

    /**
     * Sends a command, or queues it to be sent.
     *
     * <p>Failure: never throws for a state of the connection; what goes wrong is in the reply.
     *
     * @param command a command not sent before
     */
    <T> Reply<T> send(Command<T> command);

    /**
     * Sends a command and waits for its reply: {@code send(command).await(timeoutNanos)}, with the
     * transport knowing from the start that a thread waits.
     */
    default <T> T call(Command<T> command, long timeoutNanos) {
        return send(command).await(timeoutNanos);
    }

    /**
     * As {@link #send}, for a platform thread that is going to await the reply, perhaps after others. Where callers do
     * the I/O, no other thread is woken to read it.
     */
    default <T> Reply<T> sendAttended(Command<T> command) {
        return send(command);
    }

    /**
     * As {@link #send}, for the second attempt at what a lost connection has failed. If that connection is about to be
     * opened again, the command waits for it instead of being refused.
     */
    default <T> Reply<T> sendAgain(Command<T> command) {
        return send(command);
    }

    /** As {@link #call}, for a second attempt: see {@link #sendAgain}. */
    default <T> T callAgain(Command<T> command, long timeoutNanos) {
        return call(command, timeoutNanos);
    }

    /**
     * What the commands of one large operation can be spread over. Of an array these are its connections that are
     * ready; first comes the one that a command sent now would go to. Of others it is this itself. Never empty.
     *
     * @param attended whether they are sent by {@link #sendAttended}
     */
    default List<CommandSender> spread(boolean attended) {
        return List.of(this);
    }

    /**
     * The items of one large operation, by what takes the commands about them. With many servers each has a group of
     * its own; of others this itself takes all. No group is empty.
     *
     * @param items at least one
     * @param key the key of an item
     */
    default <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        return Map.of(this, items);
    }

    /**
     * A future that is completed after that time by a thread of the client, or at once when the client is closed.
     *
     * @throws UnsupportedOperationException if nothing behind this has a timer
     */
    default CompletableFuture<@Nullable Void> pause(long nanos) {
        CommandSender first = spread(false).get(0);
        if (first == this) {
            throw new UnsupportedOperationException(this + " has no timer");
        }
        return first.pause(nanos);
    }

    /**
     * The same with another policy for commands whose server is ejected. Of what has one server and none to spare, this
     * itself: nothing is ejected there.
     *
     * @throws IllegalArgumentException if there is no gutter, which the policy needs
     */
    default CommandSender withServerDown(ServerDownPolicy policy) {
        return this;
    }

    /** What is done about the failures of commands sent here. */
    default FailurePolicy failurePolicy() {
        return FailurePolicy.FAIL_FAST;
    }

    /**
     * Who observes the calls whose commands are sent here; null for nobody.
     *
     * @param key the key that a call is about; null for none or many
     */
    default @Nullable CallObservation callObservation(@Nullable String key) {
        return null;
    }

    /** Where commands sent here go, in the terms of their failures. */
    default CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(toString(), 0, verb, key, phase);
    }
}
