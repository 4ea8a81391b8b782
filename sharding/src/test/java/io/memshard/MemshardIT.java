// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.client.MemcachedClient;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Transport;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class MemshardIT {

    /** Longer than anything here takes. */
    private static final Duration LONG = Duration.ofSeconds(60);

    private LeakCheck leaks;
    private ScriptedServer server;

    /** How many gets came on each connection, by its place among those accepted. */
    private final Map<Integer, AtomicInteger> gets = new ConcurrentHashMap<>();

    @BeforeEach
    void start() {
        leaks = LeakCheck.start();
        server = ScriptedServer.start().onConnection(this::answer);
    }

    @AfterEach
    void close() {
        server.close();
        leaks.assertNothingLeft();
    }

    /** Answers each get with the place of the connection it came on. */
    private void answer(ScriptedConnection connection) {
        String value = String.valueOf(connection.index());
        connection.greet().replyTo(line -> {
            List<String> words = List.of(line.split(" "));
            boolean isOfMany = words.get(0).equals("get");
            if (!isOfMany && !words.get(0).equals("mg")) {
                return "MN\r\n";
            }
            AtomicInteger asked = gets.computeIfAbsent(connection.index(), i -> new AtomicInteger());
            if (!isOfMany) {
                asked.incrementAndGet();
                return "VA " + value.length() + " f0 " + words.get(words.size() - 1) + "\r\n" + value + "\r\n";
            }
            asked.addAndGet(words.size() - 1);
            return words.stream()
                    .skip(1)
                    .map(key -> "VALUE " + key + " 0 " + value.length() + "\r\n" + value + "\r\n")
                    .collect(Collectors.joining("", "", "END\r\n"));
        });
    }

    private static ConnectionChooser eachInTurn() {
        AtomicInteger turn = new AtomicInteger();
        return candidates -> candidates.firstReadyFrom(turn.getAndIncrement() % candidates.size());
    }

    private MemshardBuilder builder() {
        return Fleet.patient()
                .servers(server.host() + ":" + server.port())
                .chooser(eachInTurn())
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .ioThreads(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7, -2, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void chooserThatReturnsNoIndexIsNamedWithWhatItReturned(int index) {
        ConnectionChooser broken = new ConnectionChooser() {
            @Override
            public int choose(Candidates candidates) {
                return index;
            }

            @Override
            public String toString() {
                return "broken";
            }
        };
        try (Memshard memshard =
                builder().connectionsPerServer(2).chooser(broken).build()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> memshard.client().get("k"))
                    .withMessageStartingWith("chooser broken returned index " + index + ", but there are 2");
            assertThatIllegalStateException().isThrownBy(() -> memshard.client().multiGet(List.of("k")));
        }
    }

    /** Connections share the socket of the only event loop. */
    @ParameterizedTest
    @EnumSource
    void aServerSeesAsManySocketsAsTheSettingsSay(Transport transport) {
        MemshardBuilder builder = builder().transport(transport);
        int sockets = builder.unwrap(MemshardOptions.class).socketsPerServer();
        try (Memshard memshard = builder.build()) {
            memshard.awaitReady(LONG);
            memshard.client().get("k");
            memshard.asyncClient().get("k").join();
            assertThat(server.connections()).isEqualTo(sockets);
            memshard.replace(Server.parseAll("nowhere.invalid:1"));
            eventually("they are closed", () -> server.openConnections() == 0);
        }
    }

    /** Asynchronous calls have one socket, because there is one event loop. */
    @Test
    void senderOfOneConnectionUsesOnlyItsSockets() {
        MemshardBuilder builder = builder();
        int connections = builder.unwrap(MemshardOptions.class).connectionsPerServer;
        List<String> keys = IntStream.range(0, 2_400).mapToObj(i -> "k" + i).toList();
        try (Memshard memshard = builder.build()) {
            Set<String> blocking = new HashSet<>();
            Set<String> asynchronous = new HashSet<>();
            for (CommandSender sender : memshard.unwrap(Cluster.class).each()) {
                MemcachedClient<String> client = Clients.blocking(sender, Transcoder.utf8(), 1024, LONG);
                assertThat(client.toString()).contains(server.port() + "[" + blocking.size() + "]");
                String socket = client.get("k");
                assertThat(client.multiGet(keys).hitsOrThrow().values()).containsOnly(socket);
                blocking.add(socket);
                asynchronous.add(client.async().get("k").join());
            }
            assertThat(blocking).hasSize(connections);
            assertThat(asynchronous).hasSize(1).doesNotContainAnyElementsOf(blocking);
        }
    }

    @ParameterizedTest
    @EnumSource
    void roundRobinSpreadsCallsEvenlyOverTheConnections(Transport transport) {
        try (Memshard memshard = builder()
                .connectionsPerServer(3)
                .transport(transport)
                .chooser(ConnectionChooser.roundRobin())
                .build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            IntStream.range(0, 96).forEach(i -> client.get("k"));

            assertThat(gets.values().stream().map(AtomicInteger::get)).containsExactly(32, 32, 32);
            assertThat(memshard.connectionStates()).hasSize(3).containsOnly(ConnectionState.READY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsOfAMultiGetAreSpreadWhateverTheChooser(Transport transport) {
        try (Memshard memshard = builder()
                .connectionsPerServer(3)
                .transport(transport)
                .chooser(ConnectionChooser.threadAffinity())
                .build()) {
            List<String> keys = IntStream.range(0, 2_400).mapToObj(i -> "k" + i).toList();
            assertThat(memshard.client(Transcoder.utf8()).multiGet(keys).hitsOrThrow())
                    .hasSize(2_400);
            assertThat(gets).hasSize(3);
            assertThat(gets.values().stream().mapToInt(AtomicInteger::get).sum())
                    .isEqualTo(2_400);

            gets.clear();
            memshard.client().multiGet(keys.subList(0, 100)).hitsOrThrow();
            assertThat(gets).as("a single part").hasSize(1);
            gets.clear();
            assertThat(memshard.asyncClient().multiGet(keys).join().hitsOrThrow())
                    .hasSize(2_400);
            assertThat(gets).hasSize(3);
        }
    }

    @Test
    void multiGetGoesPastAConnectionThatIsDown() throws Exception {
        try (Memshard memshard = builder()
                .connectionsPerServer(3)
                .transport(Transport.EVENT_LOOP)
                .build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            IntStream.range(0, 3).forEach(i -> client.get("k"));
            server.stopAccepting();
            server.awaitConnection(1, LONG).cut();
            eventually("lost", () -> memshard.connectionStates().contains(ConnectionState.RECONNECTING));

            List<String> keys = IntStream.range(0, 2_400).mapToObj(i -> "k" + i).toList();
            assertThat(client.multiGet(keys).hitsOrThrow()).hasSize(2_400);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT_LOOP", "CALLER_DRIVEN"})
    void deadConnectionIsSkippedAndUsedAgainWhenItIsBack(Transport transport) throws Exception {
        try (Memshard memshard =
                builder().connectionsPerServer(2).transport(transport).build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            client.get("k");
            client.get("k");
            server.stopAccepting();
            server.awaitConnection(0, LONG).cut();
            eventually("lost", () -> memshard.connectionStates().contains(ConnectionState.RECONNECTING));
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("k")).isEqualTo("1");
            }

            server.resumeAccepting();
            eventually("back", () -> memshard.connectionStates().stream().allMatch(ConnectionState.READY::equals));
            assertThat(List.of(client.get("k"), client.get("k"))).containsExactlyInAnyOrder("1", "2");
        }
    }

    /** Sockets 0 and 1 are those of platform threads, and 2 and 3 those of other callers. */
    @Test
    void lossThatOneKindOfCallersFeelsDivertsNoOther() throws Exception {
        try (Memshard memshard = builder().connectionsPerServer(2).ioThreads(2).build()) {
            MemcachedClient<byte[]> client = memshard.client();
            IntStream.range(0, 2).forEach(i -> client.get("k"));
            IntStream.range(0, 2).forEach(i -> client.async().get("k").join());
            server.stopAccepting();
            server.awaitConnection(0, LONG).cut();
            eventually("lost", () -> memshard.connectionStates().contains(ConnectionState.RECONNECTING));

            gets.clear();
            IntStream.range(0, 4).forEach(i -> client.get("k"));
            assertThat(gets).containsOnlyKeys(1);
            gets.clear();
            IntStream.range(0, 4).forEach(i -> client.async().get("k").join());
            assertThat(gets).containsOnlyKeys(2, 3);
        }
    }

    @Test
    void laterChangesOfTheBuilderDoNotReachWhatItBuilt() {
        MemshardBuilder builder = builder().maxValueBytes(1_000);
        try (Memshard memshard = builder.build()) {
            builder.maxValueBytes(1).requestTimeout(Duration.ofNanos(1));

            assertThat(memshard.client(Transcoder.utf8()).get("k")).isEqualTo("0");
            assertThat(memshard.asyncClient(Transcoder.utf8()).get("k").join()).isNotNull();
        }
    }
}
