// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.discovery.ServerSource;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemshardBuilderTest {

    private record DurationOption(String name, BiConsumer<MemshardBuilder, Duration> setter) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<DurationOption> durations() {
        return Stream.of(
                new DurationOption("requestTimeout", MemshardBuilder::requestTimeout),
                new DurationOption("connectTimeout", MemshardBuilder::connectTimeout),
                new DurationOption("livenessTimeout", MemshardBuilder::livenessTimeout),
                new DurationOption("heartbeatInterval", MemshardBuilder::heartbeatInterval),
                new DurationOption("reconnectDelay", (b, d) -> b.reconnectDelay(d, Duration.ofSeconds(1))),
                new DurationOption("reconnectDelay", (b, d) -> b.reconnectDelay(Duration.ofSeconds(1), d)));
    }

    @ParameterizedTest
    @MethodSource("durations")
    void timeOutOfRangeIsRefusedWithOptionAndValue(DurationOption option) {
        for (Duration value : new Duration[] {
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofDays(25),
            Duration.ofSeconds(Long.MAX_VALUE),
            ChronoUnit.FOREVER.getDuration()
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> option.setter.accept(Memshard.builder(), value))
                    .withMessageContaining(option.name + " is " + value + ", but must be");
        }
        assertThatCode(() -> option.setter.accept(Memshard.builder(), Duration.ofNanos(1)))
                .doesNotThrowAnyException();
        assertThatCode(() -> option.setter.accept(Memshard.builder(), Duration.ofDays(24)))
                .doesNotThrowAnyException();
    }

    /** What a setter or the builder refuses, after the setting of two servers. */
    private record Mistake(String said, UnaryOperator<MemshardBuilder> by) {
        @Override
        public String toString() {
            return said;
        }
    }

    private static Mistake mistake(String said, UnaryOperator<MemshardBuilder> by) {
        return new Mistake(said, by);
    }

    static List<Mistake> mistakes() {
        List<Mistake> all = new ArrayList<>(List.of(
                mistake("servers is empty", each -> each.servers(List.of())),
                mistake("servers is not set", each -> Memshard.builder()),
                mistake("b:11211*2", each -> each.servers("a, b*2").ring(Ring.jump())),
                mistake("a:11211@east has a zone", each -> each.servers("a@east, b")),
                mistake("maxBytesInFlight is 0, but must be at least 1", each -> each.maxBytesInFlight(0)),
                mistake("maxBytesInFlight is -1, but must be at least 1", each -> each.maxBytesInFlight(-1)),
                mistake("ejectAfter is 1, but must be 2 to 1000000", each -> each.ejectAfter(1)),
                mistake("probeDelay is PT0S", each -> each.probeDelay(Duration.ZERO, Duration.ofSeconds(1))),
                mistake("failoverTtl is PT0.999S, but must be 1 s", each -> each.failoverTtl(Duration.ofMillis(999))),
                mistake("gutter is empty: name at least one server", each -> each.gutter(" ")),
                mistake("gutter: entry 2 of 2", each -> each.gutter("c, d*0")),
                mistake("have the same address c:11211", each -> each.gutter("c, c")),
                mistake("b:11211 is one of the servers too", each -> each.gutter("c, b")),
                mistake("name spare servers, such as spare-1:11211", each -> each.serverDown(ServerDownPolicy.GUTTER)),
                mistake(
                        "use AUTO or EVENT_LOOP",
                        each -> each.transport(Transport.CALLER_DRIVEN).tls(TlsOptions.trustingSystem())),
                mistake("remove tls", each -> each.servers("unix:/run/a.sock").tls(TlsOptions.trustingSystem()))));
        Map<String, BiFunction<MemshardBuilder, Integer, MemshardBuilder>> numbers = Map.of(
                "connectionsPerServer", MemshardBuilder::connectionsPerServer,
                "maxInFlight", MemshardBuilder::maxInFlight,
                "maxValueBytes", MemshardBuilder::maxValueBytes,
                "ioThreads", MemshardBuilder::ioThreads);
        for (int value : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            numbers.forEach((option, setter) ->
                    all.add(mistake(option + " is " + value + ", but must be 1 to ", b -> setter.apply(b, value))));
        }
        Map.ofEntries(
                        entry("", "servers is empty"),
                        entry("  ", "servers is empty"),
                        entry("a:b:c", "a:b:c"),
                        entry("host:99999", "port of host is 99999"),
                        entry("a:1,,b:2", "entry 2 of 3: "),
                        entry("a:1, b:0, c", "entry 2 of 3: port of b is 0"),
                        entry("a:1, b:2*0", "the weight \"0\""),
                        entry("a:1, b:2, a:1", "servers 1 and 3 have the same address a:1"),
                        entry("x=a:1 x=b:2", "servers 1 and 2 have the same name x"),
                        entry("unix:my cache.sock", "unix:/path"))
                .forEach((list, said) -> all.add(mistake(said, each -> each.servers(list))));
        return all;
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakeIsRefusedWithOptionAndValue(Mistake mistake) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        mistake.by.apply(Memshard.builder().servers("a, b")).build())
                .withMessageContaining(mistake.said);
    }

    @Test
    void policyOfACallNeedsAGutterToo() {
        try (Memshard without = Memshard.connect("a, b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> without.client().withServerDown(ServerDownPolicy.GUTTER));
        }
    }

    @Test
    void fleetsWithDifferentKeysAreRefused() {
        try (Memshard source = Memshard.builder().servers("a").keyPrefix("a:").build();
                Memshard target = Memshard.connect("b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MemshardMigration.of(source, target, MigrationOptions.DEFAULT))
                    .withMessageContaining("the source fleet has keyPrefix=\"a:\"");
        }
    }

    @Test
    void passwordIsNotInTheMessage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Memshard.builder().credentials("alice", "sec ret"))
                .withMessageContaining("alice")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sec ret"));
    }

    @Test
    void severalServersHaveNamesAndWeights() {
        MemshardOptions options =
                Memshard.builder().servers("a, b:11212*2 , c=10.0.0.3:11213").options();
        assertThat(options.servers)
                .extracting(Server::toString)
                .containsExactly("a:11211", "b:11212*2", "c=10.0.0.3:11213");
        assertThat(Memshard.builder().servers(options.servers).options().servers)
                .isEqualTo(options.servers);
        try (Memshard memshard = Memshard.connect("127.0.0.1:1, 127.0.0.1:2")) {
            assertThat(memshard.servers()).hasSize(2);
        }
    }

    @Test
    void settingsAndServersAreUnwrappedByType() {
        MemshardBuilder builder = Memshard.builder().servers("a");
        assertThat(builder.unwrap(MemshardOptions.class).shownServers()).isEqualTo("a:11211");
        assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> builder.unwrap(String.class));
        try (Memshard memshard = builder.build()) {
            assertThat(memshard.unwrap(Cluster.class).options())
                    .usingRecursiveComparison()
                    .isEqualTo(builder.options());
            assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> memshard.unwrap(String.class));
        }
    }

    private static Map<String, String> fields(MemshardOptions options) {
        return Stream.of(MemshardOptions.class.getFields()).collect(Collectors.toMap(Field::getName, field -> {
            try {
                return String.valueOf(field.get(options));
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }));
    }

    @Test
    void laterSettingsDoNotReachClientsAlreadyBuilt() {
        MemshardBuilder builder =
                Memshard.builder().servers("a, b").gutter("c").ejectAfter(3).listener(new ConnectionListener() {});
        try (Memshard memshard = builder.build()) {
            MemshardOptions options = memshard.unwrap(Cluster.class).options();
            Map<String, String> before = fields(options);
            builder.discovery(new Discovery(timeout -> Server.parseAll("d")))
                    .gutter("e, f")
                    .serverDown(ServerDownPolicy.GUTTER)
                    .ejectAfter(4)
                    .probeDelay(Duration.ofSeconds(3), Duration.ofSeconds(4))
                    .failoverTtl(Duration.ofSeconds(5))
                    .ring(Ring.jump())
                    .connectionsPerServer(17)
                    .chooser(ConnectionChooser.stickyRoundRobin())
                    .connectEagerly()
                    .transport(Transport.EVENT_LOOP)
                    .ioThreads(18)
                    .requestTimeout(Duration.ofSeconds(29))
                    .connectTimeout(Duration.ofSeconds(20))
                    .livenessTimeout(Duration.ofSeconds(21))
                    .heartbeatInterval(Duration.ofSeconds(22))
                    .reconnectDelay(Duration.ofSeconds(23), Duration.ofSeconds(24))
                    .failurePolicy(FailurePolicy.TREAT_AS_MISS)
                    .keyPrefix("g:")
                    .hashKeys(true)
                    .hideKeys(true)
                    .listener(new ConnectionListener() {})
                    .completionExecutor(Runnable::run)
                    .protocol(Protocol.META)
                    .tls(TlsOptions.trustingSystem())
                    .credentials("alice", "secret")
                    .maxValueBytes(25)
                    .maxInFlight(26)
                    .maxBytesInFlight(27);

            assertThat(fields(options)).isEqualTo(before);
            assertThat(fields(builder.options()).entrySet())
                    .as("settings after those calls, each of which changed")
                    .doesNotContainAnyElementsOf(before.entrySet());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/my cache.sock", "/tmp/a,b.sock", "/tmp/a, b  c.sock"})
    void pathOfASocketIsTakenWhole(String path) {
        assertThat(Memshard.builder().servers(" unix:" + path + ' ').options().server())
                .isEqualTo(new ServerAddress(path, 0));
    }

    @Test
    void aServerMayBeAnAddress() {
        ServerAddress address = new ServerAddress("cache", 11212);
        assertThat(Memshard.builder().servers(address).options().server()).isEqualTo(address);
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("cache", 11212);
        assertThat(Memshard.builder().servers(unresolved).options().server()).isEqualTo(address);
        assertThat(Memshard.builder()
                        .servers(new InetSocketAddress("::1", 11212))
                        .options()
                        .server()
                        .toString())
                .isEqualTo("[0:0:0:0:0:0:0:1]:11212");
    }

    @Test
    void nullsAreRefusedByTheirSetters() {
        Stream<DurationOption> others = Stream.of(
                new DurationOption("servers", (builder, none) -> builder.servers((String) null)),
                new DurationOption("servers", (builder, none) -> builder.servers((ServerAddress) null)),
                new DurationOption("chooser", (builder, none) -> builder.chooser(null)),
                new DurationOption("transport", (builder, none) -> builder.transport(null)),
                new DurationOption("protocol", (builder, none) -> builder.protocol(null)),
                new DurationOption("serverDown", (builder, none) -> builder.serverDown(null)));
        Stream.concat(durations(), others)
                .forEach(option -> assertThatNullPointerException()
                        .isThrownBy(() -> option.setter.accept(Memshard.builder(), null))
                        .withMessage(option.name + " is null"));
    }

    @Test
    void discoveryProvidesTheServersAndIsClosedWithTheClient() {
        FixedSource source = new FixedSource(Server.parseAll("one=nowhere.invalid:1, two=nowhere.invalid:2"));
        Discovery discovery = new Discovery(source);
        try (Memshard memshard = Memshard.builder()
                .servers("replaced.invalid")
                .discovery(discovery)
                .build()) {
            assertThat(memshard.servers()).isEqualTo(source.servers);
            assertThat(source.closed).isFalse();
        }
        // Where the listener still runs, the client does not wait for it.
        eventually("closed", () -> source.closed);

        try (Memshard memshard = Memshard.builder()
                .discovery(new Discovery(timeout -> source.servers))
                .servers("in-place.invalid")
                .build()) {
            assertThat(memshard.servers()).isEqualTo(Server.parseAll("in-place.invalid"));
        }
    }

    @Test
    void discoveryIsClosedIfTheClientCannotBeMade() {
        FixedSource none = new FixedSource(List.of());
        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> Memshard.builder()
                        .discovery(new Discovery(none, none.period(), Duration.ZERO, Duration.ofMillis(50)))
                        .build())
                .withMessageContaining("no servers were found within 50 ms");
        assertThat(none.closed).isTrue();

        FixedSource zoned = new FixedSource(Server.parseAll("a:1@eu-1, b:2"));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Memshard.builder().discovery(new Discovery(zoned)).build())
                .withMessageStartingWith("servers: a:1@eu-1 has a zone, but the client has no zones");
        assertThat(zoned.closed).isTrue();

        FixedSource spare = new FixedSource(Server.parseAll("a:1, b:2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Memshard.builder()
                        .discovery(new Discovery(spare))
                        .gutter("a:1")
                        .build())
                .withMessageStartingWith("gutter: a:1 is one of the servers too");
        assertThat(spare.closed).isTrue();

        FixedSource many = new FixedSource(Server.parseAll("a:1@eu-1, b:2@eu-2"));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Memshard.builder().discovery(new Discovery(many)).buildZones(ReplicaOptions.of("eu-1")))
                .withMessageContaining("ZonedMemshard.of");
        assertThat(many.closed).isTrue();
    }

    /** Tells whether it was closed. */
    private static final class FixedSource implements ServerSource {

        private final List<Server> servers;
        private volatile boolean closed;

        FixedSource(List<Server> servers) {
            this.servers = servers;
        }

        @Override
        public List<Server> servers(Duration timeout) {
            return servers;
        }

        @Override
        public Duration period() {
            return Duration.ofDays(1);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "4, 2", "6, 3", "8, 4", "16, 8", "96, 8"})
    void aServerHasHalfAsManyConnectionsAsProcessors(int processors, int connections) {
        assertThat(MemshardOptions.defaultConnections(processors)).isEqualTo(connections);
    }

    @Test
    void noConnectionIsOpenedByBuild() {
        int connections =
                MemshardOptions.defaultConnections(Runtime.getRuntime().availableProcessors());
        // A name that is never resolved: nothing is opened before the first command.
        try (Memshard memshard = Memshard.builder().servers("nowhere.invalid:1").build()) {
            assertThat(memshard.connectionStates()).hasSize(connections).containsOnly(ConnectionState.NEW);
        }
    }

    @Test
    void callersThatUseEventLoopsHaveAsManySocketsAsThereAre() {
        MemshardBuilder byDefault = Memshard.builder().servers("a").ioThreads(1);
        MemshardOptions pairs = byDefault.unwrap(MemshardOptions.class);
        assertThat(pairs.connectionsPerServer).isGreaterThanOrEqualTo(2);
        assertThat(pairs.socketsPerServer()).isEqualTo(pairs.connectionsPerServer + 1);
        MemshardOptions loops = byDefault.transport(Transport.EVENT_LOOP).unwrap(MemshardOptions.class);
        assertThat(loops.connectionsPerServer).isEqualTo(1);
        assertThat(loops.socketsPerServer()).isEqualTo(1);
        MemshardOptions set =
                byDefault.transport(Transport.AUTO).connectionsPerServer(16).unwrap(MemshardOptions.class);
        assertThat(set.socketsPerServer()).isEqualTo(32);
    }

    @Test
    void closedMemshardHasClosedConnectionsAndMayBeClosedAgain() {
        Memshard memshard = Memshard.builder()
                .servers("nowhere.invalid:1")
                .connectionsPerServer(3)
                .build();
        memshard.close();
        memshard.close();

        assertThat(memshard.connectionStates()).hasSize(3).containsOnly(ConnectionState.CLOSED);
    }
}
