// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.sender.CommandSender;
import java.time.Duration;

/**
 * Connection to one server, with one socket at a time and one queue of commands in flight. The first command opens the
 * socket. The connection opens another socket whenever one is lost.
 *
 * <p>Threading: thread-safe. If one thread sends two commands on the same socket, the server executes them in this
 * order.
 *
 * <p>Failure: commands are queued during the first attempt to connect. They are also queued while the client replaces a
 * socket that has served and that the server has closed, for example as idle. Commands in flight on a lost socket fail.
 * After a failed attempt, or any other loss of a socket, commands fail immediately until an attempt succeeds. A full
 * queue rejects commands.
 */
public interface Connection extends CommandSender, ConnectionStatus, AutoCloseable {

    /** Returns this connection, or for a pair the connection for commands that a platform thread awaits. */
    default Connection ofPlatformThreads() {
        return this;
    }

    default Connection ofOtherCallers() {
        return this;
    }

    void open();

    /** Refuses further commands. Closes the connection when the commands in flight have ended, or after the timeout. */
    void retire(Duration drainTimeout);

    /** Fails all commands, and wakes all callers; a thread of the client completes the futures. Does not wait. */
    @Override
    void close();
}
