// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.concurrent.VirtualThreads;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.ejection.EjectionOptions;
import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.PolicySender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Array of connections to one server, opened by their first commands. It takes commands as a single connection does:
 * each goes to the connection that the chooser picks.
 *
 * <p>Threading: thread-safe; the array never changes.
 *
 * <p>Failure: when no connection is ready, the first one refuses the command at once and says why.
 */
final class ServerConnections implements CommandSender {

    private final ServerAddress address;
    private final List<Connection> each;
    private final ConnectionChooser chooser;
    private final Sockets ofPlatformThreads;
    private final Sockets ofOtherCallers;
    private final ServerWatch watch;
    private final CommandSender refusal;
    private final CommandSender miss;

    /**
     * Sockets that one kind of callers uses, one for each connection. A connection may have lost one socket and not the
     * other.
     */
    private final class Sockets implements ConnectionChooser.Candidates {

        private final Connection[] sockets;

        Sockets(Function<Connection, Connection> socket) {
            sockets = each.stream().map(socket).toArray(Connection[]::new);
        }

        @Override
        public int size() {
            return sockets.length;
        }

        @Override
        public boolean isReady(int index) {
            return sockets[index].isReady();
        }

        @Override
        public int inFlight(int index) {
            return each.get(index).inFlight();
        }

        boolean isAnyReady() {
            for (Connection socket : sockets) {
                if (socket.isReady()) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the sockets for the commands of the calling thread. */
        List<CommandSender> spread() {
            int first = choose(chooser, this);
            List<CommandSender> ready = new ArrayList<>(sockets.length);
            ready.add(sockets[first]);
            for (int step = 1; step < sockets.length; step++) {
                int index = (first + step) % sockets.length;
                if (isReady(index)) {
                    ready.add(sockets[index]);
                }
            }
            return ready;
        }
    }

    /** Connections to a server, as the options say. */
    ServerConnections(ServerAddress address, ConnectionGroup group, MemshardOptions options) {
        this(
                address,
                group,
                IntStream.range(0, options.connectionsPerServer())
                        .mapToObj(index -> group.newConnection(address, index, options.transport()))
                        .toList(),
                options.chooser());
    }

    /** These connections of a group to a server. */
    ServerConnections(ServerAddress address, ConnectionGroup group, List<Connection> each, ConnectionChooser chooser) {
        this.address = address;
        this.each = each;
        this.chooser = chooser;
        ofPlatformThreads = new Sockets(Connection::ofPlatformThreads);
        ofOtherCallers = new Sockets(Connection::ofOtherCallers);
        watch = group.watch(address);
        refusal = group.newRefusal(address);
        miss = PolicySender.around(refusal, FailurePolicy.TREAT_AS_MISS);
    }

    /** Returns the sockets for the commands of the calling thread. */
    private Sockets sockets(boolean isAwaited) {
        return isAwaited && !VirtualThreads.isCurrent() ? ofPlatformThreads : ofOtherCallers;
    }

    private Connection chosen(boolean isAwaited) {
        Sockets candidates = sockets(isAwaited);
        return candidates.sockets[choose(chooser, candidates)];
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        return chosen(mode.isAwaited()).send(command, mode);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return chosen(true).call(command, timeoutNanos);
    }

    @Override
    public List<CommandSender> spread(SendMode mode) {
        return sockets(mode.isAwaited()).spread();
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return each.get(0).pause(nanos);
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return new CommandContext(
                toString(), 0, verb, key, phase, null, each.get(0).hidesKeys());
    }

    /** Returns the index of the connection for the next command of a blocking caller. */
    int choose() {
        return choose(chooser, sockets(true));
    }

    /** Returns the index that a chooser chooses, checked; 0 when none is ready. */
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

    ServerAddress address() {
        return address;
    }

    /** Returns the connection at {@code index}. */
    Connection connection(int index) {
        return each.get(index);
    }

    List<Connection> each() {
        return each;
    }

    /** Returns whether any connection takes commands of this mode that the calling thread sends. */
    boolean isReady(SendMode mode) {
        return sockets(mode.isAwaited()).isAnyReady();
    }

    /** Returns whether the connection at {@code index} takes commands of the calling thread if it waits. */
    boolean isReadyToCall(int index) {
        return sockets(true).isReady(index);
    }

    /** Returns whether commands are not to go there. */
    boolean isEjected() {
        return watch.isEjected();
    }

    /** Returns the state of the server, and why it is so. */
    ServerStatus status() {
        return watch.status();
    }

    /**
     * Ejects the server by these options from now on.
     *
     * @param hasPlace whether other servers can take its commands; otherwise only a silent server is ejected
     */
    void eject(EjectionOptions by, boolean hasPlace) {
        if (hasPlace) {
            watch.eject(by);
        } else {
            watch.ejectIfSilent(by);
        }
    }

    /** Returns the sender that refuses the commands of an ejected server. */
    CommandSender refusal() {
        return refusal;
    }

    /** Same as {@link #refusal}, but reads are misses. */
    CommandSender miss() {
        return miss;
    }

    /** Refuses commands from now on, and closes the connections when those in flight have ended. Waits for nothing. */
    void retire(Duration drainTimeout) {
        watch.eject(null);
        each.forEach(connection -> connection.retire(drainTimeout));
    }

    /** {@code host:port}. */
    @Override
    public String toString() {
        return address.toString();
    }
}
