package io.memshard.client.connection;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.listener.ConnectionStatus;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server: one socket at a time, with one first-in-first-out queue of commands in
 * flight, opened by the first command and opened again whenever it is lost.
 *
 * <p>Threading: thread-safe. Two commands sent by one thread are executed in that order.
 *
 * <p>Failure: while the first attempt to connect is under way commands are queued; so they are while a socket is
 * replaced that was lost with nothing in flight, as to a server's {@code idle_timeout}. Once an attempt has
 * failed or a socket with commands in flight is lost, commands fail at once until a later attempt succeeds;
 * attempts are made in the background. A full queue refuses commands at once.
 */
public interface Connection extends CommandSender, ConnectionStatus, AutoCloseable {

    @Override
    default CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(server().toString(), index(), verb, key, phase);
    }

    /**
     * Closes the socket, fails what is in flight, and refuses commands from now on. Idempotent, and for any thread: it
     * waits for none, and so neither for a stage that holds up the thread which reads, nor for one that closes too.
     *
     * <p>When it returns, who waits for a command is on its way, and futures are completed by a thread of the client's
     * own; only replies that were decoded already and follow, on the thread that reads, one whose stage holds it up, are
     * told when that returns.
     */
    @Override
    void close();
}
