// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.connection.PolicySender;
import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.EjectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.MemshardOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server, opened by their first commands.
 *
 * <p>Threading: immutable.
 */
final class ServerConnections {

    private final ServerAddress address;
    private final List<Connection> each;
    private final ConnectionArray array;
    private final ServerWatch watch;
    private final CommandSender refusal;
    private final CommandSender miss;

    ServerConnections(ServerAddress address, ConnectionGroup group, MemshardOptions options) {
        this.address = address;
        each = IntStream.range(0, options.connectionsPerServer())
                .mapToObj(index -> group.newConnection(address, index, options.transport()))
                .toList();
        array = new ConnectionArray(each, options.chooser());
        watch = group.watch(address);
        refusal = group.newRefusal(address);
        miss = PolicySender.around(refusal, FailurePolicy.TREAT_AS_MISS);
    }

    ServerAddress address() {
        return address;
    }

    /** What takes a command to the connection that the chooser picks for it. */
    ConnectionArray any() {
        return array;
    }

    /** The connection at {@code index}. */
    Connection connection(int index) {
        return each.get(index);
    }

    List<Connection> each() {
        return each;
    }

    /** Whether any connection takes commands of callers that do not wait. */
    boolean isReadyToSend() {
        return each.stream().anyMatch(Connection::isReadyToSend);
    }

    /** Whether any connection takes commands of the calling thread if it waits. */
    boolean isReadyToCall() {
        return each.stream().anyMatch(Connection::isReadyToCall);
    }

    /** Whether commands are not to go there. */
    boolean isEjected() {
        return watch.isEjected();
    }

    /** Its state, and why. */
    ServerStatus status() {
        return watch.status();
    }

    /** Has the server ejected by these options from now on; null for never. */
    void eject(@Nullable EjectionOptions by) {
        watch.eject(by);
    }

    /** What refuses the commands of an ejected server. */
    CommandSender refusal() {
        return refusal;
    }

    /** As {@link #refusal}, but reads are misses. */
    CommandSender miss() {
        return miss;
    }

    /** Refuses commands from now on, and closes the connections when those in flight have ended. Waits for nothing. */
    void retire(Duration drainTimeout) {
        watch.eject(null);
        each.forEach(connection -> connection.retire(drainTimeout));
    }
}
