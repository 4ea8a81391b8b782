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
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.PolicySender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

final class ServerConnections implements CommandSender {

    private final ServerAddress address;
    private final ConnectionChooser chooser;
    private final Sockets ofPlatformThreads;
    private final Sockets ofOtherCallers;
    private final ServerWatch watch;
    private final CommandSender refusal;
    private final CommandSender miss;
    private final List<ServerConnections> each;

    ServerConnections(ServerAddress address, ConnectionGroup group, MemshardOptions options) {
        this.address = address;
        chooser = options.chooser;
        Transport transport = options.hasSocketPairs() ? Transport.CALLER_DRIVEN : options.transport;
        ofPlatformThreads =
                new Sockets(options.connectionsPerServer, index -> group.newConnection(address, index, transport));
        ofOtherCallers = options.hasSocketPairs()
                ? new Sockets(options.loopSockets, index -> group.newSecondSocket(address, index))
                : ofPlatformThreads;
        watch = group.watch(address);
        refusal = group.newRefusal(address);
        miss = PolicySender.around(refusal, FailurePolicy.TREAT_AS_MISS);
        each = IntStream.range(0, ofPlatformThreads.size())
                .mapToObj(index -> new ServerConnections(this, index))
                .toList();
    }

    private ServerConnections(ServerConnections all, int index) {
        address = all.address;
        chooser = all.chooser;
        ofPlatformThreads = all.ofPlatformThreads.only(index);
        ofOtherCallers = all.ofOtherCallers.only(index);
        watch = all.watch;
        refusal = all.refusal;
        miss = all.miss;
        each = List.of();
    }

    private Sockets sockets(boolean isAwaited) {
        return isAwaited && !VirtualThreads.isCurrent() ? ofPlatformThreads : ofOtherCallers;
    }

    private Connection chosen(boolean isAwaited) {
        Sockets candidates = sockets(isAwaited);
        return candidates.get(choose(candidates));
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
        Sockets candidates = sockets(mode.isAwaited());
        return candidates.readyFrom(choose(candidates));
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return ofOtherCallers.get(0).pause(nanos);
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return ofPlatformThreads.get(0).context(verb, key, phase);
    }

    int choose() {
        return choose(sockets(true));
    }

    private int choose(Sockets candidates) {
        int size = candidates.size();
        int chosen = size == 1 ? 0 : chooser.choose(candidates);
        if (chosen < ConnectionChooser.NONE || chosen >= size) {
            throw new IllegalStateException("chooser " + chooser + " returned index " + chosen + ", but there are "
                    + size + " connections: a chooser must return 0 to " + (size - 1)
                    + ", or ConnectionChooser.NONE");
        }
        return Math.max(chosen, 0);
    }

    ServerAddress address() {
        return address;
    }

    List<ServerConnections> each() {
        return each;
    }

    /** Returns the later state in enum order, because one of the two sockets may never be used. */
    ConnectionState state() {
        return Collections.max(
                List.of(ofPlatformThreads.get(0).state(), ofOtherCallers.get(0).state()));
    }

    boolean isReady(SendMode mode) {
        return sockets(mode.isAwaited()).isAnyReady();
    }

    boolean isReadyElsewhere(@Nullable CommandContext refused, SendMode mode) {
        Sockets candidates = sockets(mode.isAwaited());
        return refused != null
                && refused.connectionIndex() < candidates.size()
                && !candidates.isReady(refused.connectionIndex())
                && candidates.isAnyReady();
    }

    boolean isEjected() {
        return watch.isEjected();
    }

    ServerStatus status() {
        return watch.status();
    }

    void eject(EjectionOptions by, boolean hasPlace) {
        watch.eject(by, !hasPlace);
    }

    CommandSender refusal() {
        return refusal;
    }

    CommandSender miss() {
        return miss;
    }

    void retire(Duration drainTimeout) {
        watch.eject(null, false);
        ofPlatformThreads.retire(drainTimeout);
        ofOtherCallers.retire(drainTimeout);
    }

    @Override
    public String toString() {
        return (each.isEmpty() ? ofPlatformThreads.get(0) : address).toString();
    }

    private static final class Sockets implements ConnectionChooser.Candidates {

        private final Connection[] each;

        Sockets(int size, IntFunction<Connection> socket) {
            each = IntStream.range(0, size).mapToObj(socket).toArray(Connection[]::new);
        }

        Sockets only(int connection) {
            return new Sockets(1, index -> each[connection % each.length]);
        }

        Connection get(int index) {
            return each[index];
        }

        @Override
        public int size() {
            return each.length;
        }

        @Override
        public boolean isReady(int index) {
            return each[index].isReady();
        }

        @Override
        public int inFlight(int index) {
            return each[index].inFlight();
        }

        boolean isAnyReady() {
            return firstReadyFrom(0) != ConnectionChooser.NONE;
        }

        void retire(Duration drainTimeout) {
            for (Connection socket : each) {
                socket.retire(drainTimeout);
            }
        }

        List<CommandSender> readyFrom(int first) {
            List<CommandSender> ready = new ArrayList<>(each.length);
            ready.add(each[first]);
            for (int step = 1; step < each.length; step++) {
                int index = (first + step) % each.length;
                if (isReady(index)) {
                    ready.add(each[index]);
                }
            }
            return ready;
        }
    }
}
