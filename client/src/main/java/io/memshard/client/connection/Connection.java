// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.sender.CommandSender;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server: one socket at a time, with one first-in-first-out queue of commands in flight. The
 * first command opens the socket, and the connection reopens the socket whenever it is lost.
 *
 * <p>Threading: thread-safe. Two commands that one thread sends on the same socket are executed in the order in which
 * they were sent.
 *
 * <p>Failure: commands are queued during the first attempt to connect. They are also queued while the client replaces a
 * socket that has served and that the server has closed, for example as idle. Commands in flight on a lost socket fail.
 * After a failed attempt, or any other loss of a socket, commands fail at once until a later attempt succeeds. A full
 * queue refuses commands at once.
 */
public interface Connection extends CommandSender, ConnectionStatus, AutoCloseable {

    @Override
    default CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(server().toString(), index(), verb, key, phase, null, hidesKeys());
    }

    default boolean hidesKeys() {
        return false;
    }

    /** Returns the connection for commands that a platform thread awaits: this one, unless it is a pair. */
    default Connection ofPlatformThreads() {
        return this;
    }

    /** Returns the connection for all other commands: this one, unless it is a pair. */
    default Connection ofOtherCallers() {
        return this;
    }

    /** Opens the socket, or both sockets of a pair, now instead of with the first command. Does not wait. */
    void open();

    /**
     * Refuses commands from now on, and closes the connection when the commands in flight have ended, or after {@code
     * drainTimeout}. The client then forgets the connection. Returns at once.
     */
    void retire(Duration drainTimeout);

    /**
     * Closes the socket, fails all commands, and refuses further commands. Idempotent; does not wait for other threads.
     * Afterwards every thread that waited for a command has been woken, and a thread of the client completes the
     * futures.
     */
    @Override
    void close();
}
