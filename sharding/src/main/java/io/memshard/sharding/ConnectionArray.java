package io.memshard.sharding;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.Reply;
import io.memshard.client.protocol.Command;
import java.util.ArrayList;
import java.util.List;

/**
 * An array of connections to one server, which takes commands as a single connection does: each goes to the connection
 * that the chooser picks.
 *
 * <p>Threading: thread-safe; the array never changes.
 *
 * <p>Failure: when no connection is ready, the first one refuses the command at once and says why.
 */
final class ConnectionArray implements CommandSender, ConnectionChooser.Candidates {

    private final Connection[] connections;
    private final ConnectionChooser chooser;

    ConnectionArray(List<Connection> connections, ConnectionChooser chooser) {
        this.connections = connections.toArray(new Connection[0]);
        this.chooser = chooser;
    }

    @Override
    public <T> Reply<T> send(Command<T> command) {
        return connections[choose()].send(command);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return connections[choose()].call(command, timeoutNanos);
    }

    @Override
    public <T> Reply<T> sendAgain(Command<T> command) {
        return connections[choose()].sendAgain(command);
    }

    @Override
    public <T> T callAgain(Command<T> command, long timeoutNanos) {
        return connections[choose()].callAgain(command, timeoutNanos);
    }

    @Override
    public List<CommandSender> spread() {
        int first = choose();
        List<CommandSender> ready = new ArrayList<>(connections.length);
        ready.add(connections[first]);
        for (int step = 1; step < connections.length; step++) {
            Connection connection = connections[(first + step) % connections.length];
            if (connection.isReady()) {
                ready.add(connection);
            }
        }
        return ready;
    }

    /** The index of the connection for the next command. */
    int choose() {
        int chosen = chooser.choose(this);
        if (chosen >= 0 && chosen < connections.length) {
            return chosen;
        }
        if (chosen == ConnectionChooser.NONE) {
            return 0;
        }
        throw new IllegalStateException("chooser " + chooser + " returned index " + chosen + " of "
                + connections.length + " connections: it returns 0 to " + (connections.length - 1)
                + ", or ConnectionChooser.NONE");
    }

    Connection connection(int index) {
        return connections[index];
    }

    @Override
    public int size() {
        return connections.length;
    }

    @Override
    public boolean isReady(int index) {
        return connections[index].isReady();
    }

    @Override
    public int inFlight(int index) {
        return connections[index].inFlight();
    }
}
