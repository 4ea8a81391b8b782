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
 * working socket that the server has closed, for example as idle. Commands in flight on a lost socket fail. After a
 * failed attempt, or any other loss of a socket, new commands fail immediately until an attempt to connect succeeds. A
 * full queue rejects commands.
 */
public interface Connection extends CommandSender, ConnectionStatus, AutoCloseable {

    /** Returns the connection for platform threads that wait; an {@link AutoConnection} has two connections. */
    default Connection ofPlatformThreads() {
        return this;
    }

    default Connection ofOtherCallers() {
        return this;
    }

    void open();

    /** Refuses further commands. Closes the connection when the commands in flight have ended, or after the timeout. */
    void retire(Duration drainTimeout);

    /** Fails all commands. Does not wait until the client's threads have completed the futures. */
    @Override
    void close();
}
