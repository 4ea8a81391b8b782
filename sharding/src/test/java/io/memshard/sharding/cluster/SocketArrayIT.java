// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Stats;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arrays that find their size out, with a server behind them. */
@Timeout(60)
class SocketArrayIT {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MOST = 8;

    /** Longer than anything here takes. */
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<Instance> instances = new ArrayList<>();

    @AfterEach
    void close() {
        instances.forEach(Instance::close);
    }

    /** One instance of an application: an array from one to eight connections, and callers that never rest. */
    private final class Instance {

        final ConnectionGroup group;
        final ServerConnections connections;
        final MemcachedClient<byte[]> client;
        final Queue<MemcachedException> failures = new ConcurrentLinkedQueue<>();
        final AtomicLong gets = new AtomicLong();
        private final List<Thread> callers = new ArrayList<>();
        private volatile boolean isBusy = true;
        private long nowNanos = System.nanoTime();

        Instance(InetSocketAddress server, ConnectionOptions options) {
            this(server, options, Transport.AUTO);
        }

        Instance(InetSocketAddress server, ConnectionOptions options, Transport transport) {
            ServerAddress address = new ServerAddress(server.getHostString(), server.getPort());
            group = new ConnectionGroup(options, 2);
            connections = new ServerConnections(
                    address,
                    group,
                    index -> group.newConnection(address, index, transport),
                    ConnectionChooser.stickyRoundRobin(),
                    1,
                    MOST,
                    2,
                    Duration.ZERO,
                    LONG);
            client = Clients.blocking(connections, Transcoder.bytes(), options.maxValueBytes(), LONG);
            instances.add(this);
        }

        /** Calls from so many threads. */
        Instance load(int threads) {
            for (int i = 0; i < threads; i++) {
                Thread caller = new Thread(this::call, "caller " + i);
                caller.start();
                callers.add(caller);
            }
            return this;
        }

        private void call() {
            while (isBusy) {
                try {
                    client.get("key");
                    gets.incrementAndGet();
                } catch (MemcachedException e) {
                    failures.add(e);
                }
            }
        }

        /** Ticks as the timer does, as if it were a little later. */
        void tick() {
            nowNanos += TICK_NANOS;
            connections.tick(nowNanos);
        }

        /** Ticks until the array has a size, with time in between for commands. */
        void tickUntil(int size) {
            eventually("size " + size + " of " + connections.size(true), () -> {
                tick();
                return connections.size(true) == size;
            });
        }

        void rest() {
            isBusy = false;
            callers.forEach(caller -> {
                try {
                    caller.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        void close() {
            rest();
            group.close();
        }
    }

    private static ConnectionOptions.Builder patient() {
        return ConnectionOptions.builder().connectTimeout(LONG).livenessTimeout(LONG);
    }

    private Instance instance(InetSocketAddress server) {
        return new Instance(server, patient().build());
    }

    /** Returns the number of sockets that the server has. */
    private static long sockets(ServerConnections connections) {
        Map<String, String> stats = connections.send(new Stats("")).await(LONG.toNanos());
        return Long.parseLong(stats.get("curr_connections")); // Of which each test knows a bound only.
    }

    @Test
    void growsUnderLoadServesAllTheWhileAndShrinksAfterwards() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            Instance instance = instance(new InetSocketAddress(server.host(), server.port()));
            instance.client.set("key", new byte[100], TimeToLive.NEVER);
            assertThat(instance.connections.size(true)).isEqualTo(1);

            instance.load(16).tickUntil(MOST);
            long before = instance.gets.get();
            eventually("gets over the new connections", () -> instance.gets.get() > before + 1_000);
            assertThat(instance.connections.each())
                    .hasSize(MOST)
                    .allSatisfy(
                            each -> assertThat(each.ofPlatformThreads().state()).hasToString("READY"));

            instance.rest();
            int aMinute = ConnectionDemand.SAMPLES * (ConnectionDemand.AVERAGES_BEFORE_FALL + 2);
            for (int tick = 0; tick < aMinute; tick++) {
                instance.tick();
            }
            assertThat(instance.connections.size(true)).isEqualTo(1);
            assertThat(instance.connections.each())
                    .as("stay for threads about to send")
                    .hasSize(MOST);
            for (int tick = 0; tick < aMinute; tick++) {
                instance.tick();
            }
            assertThat(instance.connections.each()).hasSize(1);
            assertThat(instance.client.get("key")).hasSize(100);
            assertThat(instance.failures).isEmpty();
        }
    }

    @Test
    void handleKeepsItsConnection() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            Instance instance = instance(new InetSocketAddress(server.host(), server.port()));
            var pinned = instance.connections.connection(3);
            for (int tick = 0; tick < 3 * ConnectionDemand.SAMPLES * ConnectionDemand.AVERAGES_BEFORE_FALL; tick++) {
                instance.tick();
            }
            assertThat(instance.connections.connection(3)).isSameAs(pinned);
            assertThat(instance.connections.each()).hasSize(4);
            assertThat(instance.connections.size(true)).as("other callers").isEqualTo(1);
        }
    }

    @Test
    void oneCallerAtATimeKeepsOneConnection() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            Instance instance = instance(new InetSocketAddress(server.host(), server.port()));
            for (int tick = 0; tick < 50; tick++) {
                instance.client.get("key");
                instance.tick();
            }
            assertThat(instance.connections.each()).hasSize(1);
        }
    }

    @Test
    @NeedsProgram(Program.MEMCACHED)
    void fleetSharesHalfOfWhatTheServerTakes() {
        try (MemcachedProcess server = MemcachedProcess.start("-c", "40")) {
            InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
            for (int i = 0; i < 4; i++) {
                instance(address).load(10);
            }
            Instance first = instances.get(0);
            eventually("instances have grown", () -> {
                instances.forEach(Instance::tick);
                return sockets(first.connections) > 2 * instances.size();
            });
            long aPause = SocketArray.PAUSE_NANOS / TICK_NANOS;
            for (int tick = 0; tick < 5 * aPause; tick++) {
                instances.forEach(Instance::tick);
            }
            // Without a limit each would have its most. An answer may be older than the sockets of other instances.
            assertThat(sockets(first.connections)).isLessThan(4 * MOST);
            assertThat(instances).allSatisfy(each -> assertThat(each.failures).isEmpty());
        }
    }

    @Test
    void connectionThatCannotBeOpenedHoldsNobodyUp() throws IOException {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(new InetSocketAddress(server.host(), server.port()))) {
            Instance instance = instance(proxy.address());
            instance.client.get("key");
            proxy.refuse(true);
            instance.load(8);
            eventually("tries", () -> {
                instance.tick();
                return instance.connections.each().size() > 1;
            });
            eventually("gives it up", () -> {
                instance.tick();
                return instance.connections.each().size() == 1;
            });
            long before = instance.gets.get();
            eventually("gets go on", () -> instance.gets.get() > before + 1_000);
            assertThat(instance.connections.size(true)).isEqualTo(1);
            proxy.refuse(false);
            instance.tickUntil(MOST);
            assertThat(instance.failures).isEmpty();
        }
    }

    @Test
    void serverThatDoesNotGreetGetsNoMore() throws IOException {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(new InetSocketAddress(server.host(), server.port()))) {
            proxy.stall(true);
            Instance instance = instance(proxy.address()).load(8);
            eventually("commands wait", () -> instance.connections.inFlight(0) == 8);
            for (int tick = 0; tick < 5 * ConnectionDemand.SAMPLES; tick++) {
                instance.tick();
            }
            assertThat(instance.connections.each()).hasSize(1);
            proxy.stall(false);
            instance.tickUntil(MOST);
        }
    }

    @Test
    void kindsThatShareTheirSocketsGrowTogether() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            Instance instance = new Instance(
                    new InetSocketAddress(server.host(), server.port()),
                    patient().build(),
                    Transport.CALLER_DRIVEN);
            instance.load(8).tickUntil(MOST);
            eventually("the other kind has its two", () -> {
                instance.tick();
                return instance.connections.size(false) == 2;
            });
            assertThat(instance.connections.each()).hasSize(MOST);
            assertThat(sockets(instance.connections)).isLessThanOrEqualTo(MOST + 1);
        }
    }

    @Test
    void serverThatSpeaksClassicIsNotAsked() {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(connection -> connection.replyTo(line -> {
                lines.add(line);
                return line.startsWith("version") ? "VERSION 1.4\r\n" : "END\r\n";
            }));
            Instance instance = new Instance(
                    server.address(), patient().protocol(Protocol.CLASSIC).build());
            instance.load(8).tickUntil(ServerRoom.UNTOLD);
            for (int tick = 0; tick < 3 * ConnectionDemand.SAMPLES; tick++) {
                instance.tick();
            }
            assertThat(instance.connections.each()).hasSize(ServerRoom.UNTOLD);
            instance.rest();
            assertThat(lines).contains("get key").doesNotContain("stats");
        }
    }
}
