package io.memshard.client.connection;

import io.memshard.client.protocol.Command;
import java.util.List;

/**
 * Takes commands: a connection, an array of connections, or many servers behind one face.
 *
 * <p>Threading: thread-safe. Never blocks.
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
     * As {@link #send}, for the second attempt at what a lost connection has failed: where that connection is about to
     * be opened again, the command waits for it instead of being refused.
     */
    default <T> Reply<T> sendAgain(Command<T> command) {
        return send(command);
    }

    /** As {@link #call}, for a second attempt: see {@link #sendAgain}. */
    default <T> T callAgain(Command<T> command, long timeoutNanos) {
        return call(command, timeoutNanos);
    }

    /**
     * What the commands of one large operation can be spread over: of an array, its connections that are ready,
     * that first which a command sent now would go to; else this itself. Never empty.
     */
    default List<CommandSender> spread() {
        return List.of(this);
    }
}
