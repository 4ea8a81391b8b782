package io.memshard.client.metrics;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

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
        eventually("one idle", () -> connections("idle") == 1);
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
        eventually("a call fails", () -> {
            try {
                client.get("a");
                return false;
            } catch (MemcachedConnectionException e) {
                return true;
            }
        });
        eventually("lost", () -> connection.state() != ConnectionState.READY);

        assertThat(connections("idle")).isZero();
        assertThat(timed("mg", "MemcachedConnectionException")).isEqualTo(1);
        // The listener is told of states by a thread of its own.
        eventually(
                "loss counted",
                () -> registry.get("memshard.connection.losses").counter().count() == 1);
    }
}
