// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.concurrent.VirtualThreads;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.ejection.EjectionOptions;
import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.listener.ConnectionState;
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
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Array of connections to one server, opened by their first commands. It takes commands in the same way as a single
 * connection. Each command goes to the connection that the chooser picks.
 *
 * <p>The number of connections is fixed, or it depends on the load: see {@link SocketArray}. A connection that callers
 * no longer need is closed after at least a minute, when no thread can be about to send on it.
 *
 * <p>Threading: thread-safe. Connections are added and removed under the monitor of this object.
 *
 * <p>Failure: if no connection is ready, the first one refuses the command immediately and reports why.
 */
final class ServerConnections implements CommandSender {

    /** Minimum of {@link #unusedNanos}. */
    private static final Duration UNUSED = Duration.ofMinutes(1);

    private final ServerAddress address;
    private final IntFunction<Connection> factory;
    private final ConnectionChooser chooser;
    private final SocketArray ofPlatformThreads;
    private final SocketArray ofOtherCallers;
    private final long unusedNanos;
    private final Duration drainTimeout;
    private final ServerWatch watch;
    private final CommandSender refusal;
    private final CommandSender miss;

    private volatile List<Connection> each = List.of();

    /**
     * Number of connections at the start of the array that are never closed as unused. The settings require them, or
     * {@link #connection} has returned one of them or a later one.
     */
    private volatile int pinned;

    /** True if the server was removed from the topology. Guarded by this. */
    private boolean retired;

    /** Number of connections in use at the last tick. Confined to the timer. */
    private int usedBefore;

    /** Time since which {@link #usedBefore} has been the same. Confined to the timer. */
    private long usedSinceNanos;

    /** Creates the connections to a server according to the options. */
    ServerConnections(ServerAddress address, ConnectionGroup group, MemshardOptions options) {
        this(
                address,
                group,
                index -> group.newConnection(address, index, options.transport()),
                options.chooser(),
                options.connectionsPerServer(),
                options.mostConnections(true),
                options.mostConnections(false),
                options.requestTimeout().multipliedBy(2),
                options.drainTimeout());
    }

    /** Creates an array of existing connections of a group to a server. */
    ServerConnections(ServerAddress address, ConnectionGroup group, List<Connection> each, ConnectionChooser chooser) {
        this(address, group, each::get, chooser, each.size(), each.size(), each.size(), UNUSED, UNUSED);
    }

    /**
     * Creates the connections to a server.
     *
     * @param factory the function that creates the connection at an index
     * @param least the initial number of connections, which is also the minimum
     * @param mostCalled the maximum number of connections for platform threads that block
     * @param mostOther the maximum number of connections for other callers
     * @param toSend the longest time that a thread takes from the choice of a connection to the end of its call
     * @param drainTimeout the maximum time for the commands in flight on a connection that is no longer used
     */
    ServerConnections(
            ServerAddress address,
            ConnectionGroup group,
            IntFunction<Connection> factory,
            ConnectionChooser chooser,
            int least,
            int mostCalled,
            int mostOther,
            Duration toSend,
            Duration drainTimeout) {
        this.address = address;
        this.factory = factory;
        this.chooser = chooser;
        unusedNanos = (toSend.compareTo(UNUSED) > 0 ? toSend : UNUSED).toNanos();
        this.drainTimeout = drainTimeout;
        pinned = least;
        grow(least - 1);
        ofPlatformThreads = new SocketArray(address, true, new Kind(Connection::ofPlatformThreads), least, mostCalled);
        ofOtherCallers = new SocketArray(address, false, new Kind(Connection::ofOtherCallers), least, mostOther);
        watch = group.watch(address);
        refusal = group.newRefusal(address);
        miss = PolicySender.around(refusal, FailurePolicy.TREAT_AS_MISS);
    }

    /** Source of the sockets for one kind of callers. */
    private final class Kind implements SocketArray.Source {

        private final UnaryOperator<Connection> socket;

        Kind(UnaryOperator<Connection> socket) {
            this.socket = socket;
        }

        @Override
        public @Nullable Connection known(int index) {
            List<Connection> now = each;
            return index < now.size() ? socket.apply(now.get(index)) : null;
        }

        @Override
        public @Nullable Connection socket(int index) {
            return has(index) ? known(index) : null;
        }

        @Override
        public int open() {
            return (int) each.stream()
                    .flatMap(connection -> Stream.of(connection.ofPlatformThreads(), connection.ofOtherCallers()))
                    .distinct()
                    .filter(open -> open.state() == ConnectionState.READY)
                    .count();
        }

        @Override
        public void giveUpFrom(int index) {
            retireFrom(Math.max(index, used()));
        }
    }

    /**
     * Creates the connection at an index and those before it, if they do not exist. Returns false if the client is
     * closed or the server was removed.
     */
    private boolean has(int index) {
        try {
            return index < each.size() || grow(index);
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /**
     * Creates the missing connections up to an index, unless the server was removed. Returns whether the connection at
     * the index exists now. Throws an {@link IllegalStateException} if the client is closed.
     */
    private synchronized boolean grow(int index) {
        List<Connection> more = new ArrayList<>(each);
        while (more.size() <= index && !retired) {
            more.add(factory.apply(more.size()));
        }
        each = List.copyOf(more);
        return index < more.size();
    }

    /** Adapts the number of connections to the load, unless it is fixed. Called by the timer. */
    void tick(long nowNanos) {
        if (isEjected()) {
            ofPlatformThreads.reset();
            ofOtherCallers.reset();
            return;
        }
        ofPlatformThreads.tick(nowNanos, !ofOtherCallers.isGrowing());
        ofOtherCallers.tick(nowNanos, !ofPlatformThreads.isGrowing());
        int inUse = used();
        if (inUse != usedBefore) {
            usedBefore = inUse;
            usedSinceNanos = nowNanos;
        } else if (each.size() > inUse && nowNanos - usedSinceNanos >= unusedNanos) {
            retireFrom(inUse);
        }
    }

    private int used() {
        return Math.max(pinned, Math.max(ofPlatformThreads.used(), ofOtherCallers.used()));
    }

    private synchronized void retireFrom(int index) {
        int first = Math.max(index, pinned);
        List<Connection> unused = List.copyOf(each.subList(first, each.size()));
        each = List.copyOf(each.subList(0, first));
        unused.forEach(connection -> connection.retire(drainTimeout));
    }

    /**
     * Returns the number of connections to choose from now, for platform threads that block or for all other callers.
     */
    int size(boolean arePlatformThreads) {
        return (arePlatformThreads ? ofPlatformThreads : ofOtherCallers)
                .sockets()
                .size();
    }

    /** Returns the sockets for the commands of the calling thread. */
    private SocketArray.Sockets sockets(boolean isAwaited) {
        return (isAwaited && !VirtualThreads.isCurrent() ? ofPlatformThreads : ofOtherCallers).sockets();
    }

    private Connection chosen(boolean isAwaited) {
        SocketArray.Sockets candidates = sockets(isAwaited);
        return candidates.get(choose(chooser, candidates));
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
        SocketArray.Sockets candidates = sockets(mode.isAwaited());
        return candidates.readyFrom(choose(chooser, candidates));
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

    /**
     * Returns the index that a chooser picks, after a check of its range; 0 if no connection is ready. A chooser is not
     * called for a single connection.
     */
    static int choose(ConnectionChooser chooser, ConnectionChooser.Candidates candidates) {
        int size = candidates.size();
        if (size == 1) {
            return 0;
        }
        int chosen = chooser.choose(candidates);
        if (chosen >= 0 && chosen < size) {
            return chosen;
        }
        if (chosen == ConnectionChooser.NONE) {
            return 0;
        }
        throw new IllegalStateException("chooser " + chooser + " returned index " + chosen + " of " + size
                + " connections: it returns 0 to " + (size - 1) + ", or ConnectionChooser.NONE");
    }

    ServerAddress address() {
        return address;
    }

    /** Returns the connection at {@code index}, which is created if necessary and then never closed as unused. */
    Connection connection(int index) {
        if (index >= pinned) {
            pin(index);
        }
        List<Connection> now = each;
        return now.get(Math.min(index, now.size() - 1));
    }

    /** Returns the connection at {@code index} if it exists, otherwise this array. */
    CommandSender known(int index) {
        List<Connection> now = each;
        return index < now.size() ? now.get(index) : this;
    }

    private synchronized void pin(int index) {
        if (has(index)) {
            pinned = Math.max(pinned, index + 1);
        }
    }

    /** Returns the number of commands in flight on the connection at {@code index}. */
    int inFlight(int index) {
        List<Connection> now = each;
        return index < now.size() ? now.get(index).inFlight() : 0;
    }

    List<Connection> each() {
        return each;
    }

    /** Returns whether any connection accepts commands that the calling thread sends in this mode. */
    boolean isReady(SendMode mode) {
        return sockets(mode.isAwaited()).isAnyReady();
    }

    /** Returns whether the calling thread can call the connection at {@code index} now; true if there is none yet. */
    boolean isReadyToCall(int index) {
        List<Connection> now = each;
        if (index >= now.size()) {
            return true;
        }
        Connection connection = now.get(index);
        return (VirtualThreads.isCurrent() ? connection.ofOtherCallers() : connection.ofPlatformThreads()).isReady();
    }

    /** Returns whether the server is ejected. If so, commands must not be sent to it. */
    boolean isEjected() {
        return watch.isEjected();
    }

    /** Returns the state of the server and the reason for it. */
    ServerStatus status() {
        return watch.status();
    }

    /**
     * Sets the options by which the server is ejected from now on.
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

    /** Returns a sender like {@link #refusal}, but one for which reads are misses. */
    CommandSender miss() {
        return miss;
    }

    /**
     * Refuses commands from now on, and closes the connections when the commands in flight have ended. Returns without
     * waiting.
     */
    synchronized void retire(Duration drainTimeout) {
        retired = true;
        watch.eject(null);
        each.forEach(connection -> connection.retire(drainTimeout));
    }

    /** Returns {@code host:port}. */
    @Override
    public String toString() {
        return address.toString();
    }
}
