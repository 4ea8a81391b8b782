// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The connections to a server and their threads, opened when first used or at once. What {@code Memshard} and the
 * template put their clients over.
 *
 * <p>Threading: thread-safe.
 */
@SuppressWarnings("exports") // For our own modules, which see what takes commands.
public final class ServerConnections implements AutoCloseable {

    private final ServerAddress server;
    private final ConnectionGroup group;
    private final List<CommandSender> each;
    private final ConnectionArray array;

    /** Connections with these options, opened by their first commands unless the options say at once. */
    public ServerConnections(MemshardOptions options) {
        server = options.server();
        group = new ConnectionGroup(options.connection(), options.ioThreads(), options.listener());
        List<Connection> connections = IntStream.range(0, options.connectionsPerServer())
                .mapToObj(index -> group.newConnection(server, index, options.transport()))
                .toList();
        if (options.connectsEagerly()) {
            group.open();
        }
        each = List.copyOf(connections);
        array = new ConnectionArray(connections, options.chooser());
    }

    /** The server at the other end. */
    public ServerAddress server() {
        return server;
    }

    /** What takes a command to the connection that the chooser picks for it. */
    public CommandSender any() {
        return array;
    }

    /** What takes the commands of each connection, by its index. */
    public List<CommandSender> each() {
        return each;
    }

    /** The index of the connection that the chooser picks now for a blocking caller; 0 when none is ready. */
    public int choose() {
        return array.choose();
    }

    /** Whether the connection at {@code index} takes commands of blocking callers now. */
    public boolean isReady(int index) {
        return array.connection(index).isReadyToCall();
    }

    /** The state of each connection, by its index. */
    public List<ConnectionState> states() {
        return IntStream.range(0, array.size())
                .mapToObj(index -> array.connection(index).state())
                .toList();
    }

    /** As {@link ConnectionGroup#awaitReady}. */
    public void awaitReady(Duration timeout) {
        group.awaitReady(timeout);
    }

    /** As {@link ConnectionGroup#close(Duration)}. */
    public void close(Duration drainTimeout) {
        group.close(drainTimeout);
    }

    /** Closes every connection, fails what is in flight, and ends every thread. Idempotent. */
    @Override
    public void close() {
        group.close();
    }
}
