// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.Reply;
import io.memshard.client.connection.SendMode;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.sharding.ConnectionChooser;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An array of connections to one server, which takes commands as a single connection does: each goes to the connection
 * that the chooser picks.
 *
 * <p>Threading: thread-safe; the array never changes.
 *
 * <p>Failure: when no connection is ready, the first one refuses the command at once and says why.
 */
final class ConnectionArray implements CommandSender {

    private final Connection[] connections;
    private final ConnectionChooser chooser;

    private final ConnectionChooser.Candidates toSend = new Candidates() {
        @Override
        public boolean isReady(int index) {
            return connections[index].isReadyToSend();
        }
    };

    private final ConnectionChooser.Candidates toCall = new Candidates() {
        @Override
        public boolean isReady(int index) {
            return connections[index].isReadyToCall();
        }
    };

    /**
     * The connections as one kind of callers sees them: a connection may be ready for one kind and not for the other.
     */
    private abstract class Candidates implements ConnectionChooser.Candidates {

        @Override
        public int size() {
            return connections.length;
        }

        @Override
        public int inFlight(int index) {
            return connections[index].inFlight();
        }
    }

    ConnectionArray(List<Connection> connections, ConnectionChooser chooser) {
        this.connections = connections.toArray(new Connection[0]);
        this.chooser = chooser;
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(toString(), 0, verb, key, phase, null, connections[0].hidesKeys());
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        return connections[choose(candidates(mode))].send(command, mode);
    }

    private ConnectionChooser.Candidates candidates(SendMode mode) {
        return mode.isAwaited() ? toCall : toSend;
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return connections[choose(toCall)].call(command, timeoutNanos);
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return connections[0].pause(nanos);
    }

    @Override
    public List<CommandSender> spread(SendMode mode) {
        ConnectionChooser.Candidates candidates = candidates(mode);
        int first = choose(candidates);
        List<CommandSender> ready = new ArrayList<>(connections.length);
        ready.add(connections[first]);
        for (int step = 1; step < connections.length; step++) {
            int index = (first + step) % connections.length;
            if (candidates.isReady(index)) {
                ready.add(connections[index]);
            }
        }
        return ready;
    }

    /** The index of the connection for the next command of a blocking caller. */
    int choose() {
        return choose(toCall);
    }

    private int choose(ConnectionChooser.Candidates candidates) {
        return choose(chooser, candidates);
    }

    /** The index that a chooser chooses, checked; 0 when none is ready. */
    static int choose(ConnectionChooser chooser, ConnectionChooser.Candidates candidates) {
        int chosen = chooser.choose(candidates);
        if (chosen >= 0 && chosen < candidates.size()) {
            return chosen;
        }
        if (chosen == ConnectionChooser.NONE) {
            return 0;
        }
        throw new IllegalStateException("chooser " + chooser + " returned index " + chosen + " of "
                + candidates.size() + " connections: it returns 0 to " + (candidates.size() - 1)
                + ", or ConnectionChooser.NONE");
    }

    Connection connection(int index) {
        return connections[index];
    }

    int size() {
        return connections.length;
    }

    /** {@code host:port}. */
    @Override
    public String toString() {
        return connections[0].server().toString();
    }
}
