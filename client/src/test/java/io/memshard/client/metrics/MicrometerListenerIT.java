package io.memshard.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.Clients;
import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MicrometerListenerIT {

    private static final Duration LONG = Duration.ofSeconds(10);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private EmbeddedMemcached server;
    private ConnectionGroup group;
    private ServerAddress address;
    private Connection connection;
    private MemcachedClient<String> client;

    @BeforeEach
    void connect() {
        server = EmbeddedMemcached.start();
        group = new ConnectionGroup(ConnectionOptions.DEFAULTS, 1, new MicrometerListener(registry));
        address = new ServerAddress(server.host(), server.port());
        connection = group.newConnection(address, 0, Transport.CALLER_DRIVEN);
        client = Clients.blocking(connection, Transcoder.utf8(), 1024, LONG);
    }

    @AfterEach
    void close() {
        group.close();
        server.close();
    }

    private long timed(String verb, String error) {
        return registry.get("db.client.operation.duration")
                .tag("db.system.name", "memcached")
                .tag("server.address", address.host())
                .tag("server.port", String.valueOf(address.port()))
                .tag("db.operation.name", verb)
                .tag("error.type", error)
                .timer()
                .count();
    }

    private double gets(String result) {
        return registry.get("cache.gets").tag("result", result).counter().count();
    }

    private double connections(String state) {
        return registry.get("db.client.connection.count")
                .tag("db.client.connection.state", state)
                .gauge()
                .value();
    }

    @Test
    void commandsAreTimedAndGetsCounted() {
        client.set("a", "1", Duration.ofMinutes(1));
        client.get("a");
        client.get("b");
        client.multiGet(List.of("a", "b", "c"));

        assertThat(timed("ms", "none")).isEqualTo(1);
        assertThat(timed("mg", "none")).isEqualTo(3);
        assertThat(gets("hit")).isEqualTo(2);
        assertThat(gets("miss")).isEqualTo(3);
        assertThat(registry.get("db.client.operation.duration").timer().totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
    }

    @Test
    void getsOfTheMetaClientAndOfLoadsAreCounted() {
        client.getOrLoad("a", Duration.ofMinutes(1), key -> "1");
        client.getOrLoad("a", Duration.ofMinutes(1), key -> "1");
        client.meta().get(GetRequest.of("a").returning(ItemField.VALUE, ItemField.TTL));
        client.meta().get(GetRequest.of("b").returning(ItemField.VALUE));
        client.meta().get(GetRequest.of("a").returning(ItemField.TTL));

        assertThat(gets("hit")).isEqualTo(2);
        assertThat(gets("miss")).isEqualTo(2);
    }

    @Test
    void connectionsAreCountedWhileTheyAreOpen() throws Exception {
        client.get("a");
        eventually(() -> connections("idle") == 1);
        assertThat(connections("used")).isZero();
        assertThat(registry.get("db.client.connection.pending_requests").gauge().value())
                .isZero();
        group.close();

        assertThat(connections("idle")).isZero();
    }

    @Test
    void failuresAndLossesAreCounted() throws Exception {
        client.get("a");
        server.close();
        assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> {
            for (int i = 0; i < 1_000; i++) {
                client.get("a");
                Thread.sleep(10);
            }
        });
        eventually(() -> connection.state() != ConnectionState.READY);

        assertThat(connections("idle")).isZero();
        assertThat(timed("mg", "MemcachedConnectionException")).isEqualTo(1);
        eventually(() -> registry.get("memshard.connection.losses").counter().count() == 1);
    }

    /** Waits, because a thread of its own tells the listener of states. */
    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(5);
        }
    }
}
