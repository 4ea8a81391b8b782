// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import net.rubyeye.xmemcached.XMemcachedClient;
import net.spy.memcached.ConnectionFactoryBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The older clients themselves, on one server with ours. */
@MemcachedTest
@Timeout(180)
class ForeignClientsIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration HANG = Duration.ofMinutes(1);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.builder()
            .connectTimeout(HANG)
            .livenessTimeout(HANG)
            .heartbeatInterval(HANG)
            .build();
    private static final int HOUR_SECONDS = 3600;

    private static final List<Object> VALUES = List.of(
            "h\u00e9llo", "x".repeat(100_000), true, 0, -1, 300, 1L << 40, new Date(123), (byte) 7, 1.5f, Math.E);

    private final MemcachedServer server;
    private ConnectionGroup group;
    private Connection connection;

    ForeignClientsIT(MemcachedServer server) {
        this.server = server;
    }

    @BeforeEach
    void connect() {
        group = new ConnectionGroup(OPTIONS, 1);
        connection = connection(0, Transport.AUTO);
    }

    private Connection connection(int index, Transport transport) {
        return group.newConnection(new ServerAddress(server.host(), server.port()), index, transport);
    }

    @AfterEach
    void close() {
        group.close();
    }

    private <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return Clients.blocking(connection, transcoder, OPTIONS.maxValueBytes(), HANG);
    }

    @Test
    void spymemcachedAndWeReadEachOther() throws Exception {
        MemcachedClient<Object> ours = client(CompatibleTranscoder.spymemcached());
        net.spy.memcached.MemcachedClient theirs = new net.spy.memcached.MemcachedClient(
                new ConnectionFactoryBuilder()
                        .setDaemon(true)
                        .setOpTimeout(60_000)
                        .build(),
                List.of(new InetSocketAddress(server.host(), server.port())));
        try {
            for (Object value : VALUES) {
                assertThat(theirs.set("spy", HOUR_SECONDS, value).get()).isTrue();
                assertThat(ours.get("spy")).isEqualTo(value);
                ours.set("spy", value, HOUR);
                assertThat(theirs.get("spy")).isEqualTo(value);
            }
            byte[] bytes = {0, 1, -1};
            assertThat(theirs.set("spy", HOUR_SECONDS, bytes).get()).isTrue();
            assertThat(ours.get("spy")).isEqualTo(bytes);
        } finally {
            theirs.shutdown();
        }
    }

    @Test
    void xmemcachedAndWeReadEachOther() throws Exception {
        XMemcachedClient theirs = new XMemcachedClient(server.host(), server.port());
        theirs.setOpTimeout(60_000);
        try {
            exchange(theirs, client(CompatibleTranscoder.xmemcached()));
            theirs.setTranscoder(new net.rubyeye.xmemcached.transcoders.WhalinTranscoder());
            exchange(theirs, client(CompatibleTranscoder.whalin()));
        } finally {
            theirs.shutdown();
        }
    }

    private static void exchange(XMemcachedClient theirs, MemcachedClient<Object> ours) throws Exception {
        for (Object value : VALUES) {
            assertThat(theirs.set("xmc", HOUR_SECONDS, value)).isTrue();
            assertThat(ours.get("xmc")).isEqualTo(value);
            ours.set("xmc", value, HOUR);
            assertThat(theirs.<Object>get("xmc")).isEqualTo(value);
        }
    }

    @Test
    void blockingCallsDecodeOnTheCallersThread() {
        Transcoder<Thread> decoder = new Transcoder<>() {
            @Override
            public EncodedValue encode(Thread value) {
                return new EncodedValue(new byte[1], 0);
            }

            @Override
            public Thread decode(byte[] data, int flags) {
                return Thread.currentThread();
            }
        };
        for (Transport transport : Transport.values()) {
            MemcachedClient<Thread> threads =
                    Clients.blocking(connection(1 + transport.ordinal(), transport), decoder, 100, HANG);
            threads.set("thread", Thread.currentThread(), HOUR);
            assertThat(threads.get("thread")).isSameAs(Thread.currentThread());
            assertThat(threads.multiGet(List.of("thread")).hits()).containsEntry("thread", Thread.currentThread());
        }
    }

    @Test
    void hostileValuesFailTheirCallAndKeepTheConnection() {
        MemcachedClient<byte[]> raw = client(Transcoder.bytes());
        MemcachedClient<Object> ours = client(CompatibleTranscoder.spymemcached());
        Transcoder<byte[]> gzipFlag =
                Compression.gzip().thresholdBytes(0).maxBytes(1_000_000).around(Transcoder.bytes());
        client(gzipFlag).set("bad:bomb", new byte[1_000_000], HOUR);
        ours.set("good", 42, HOUR);
        raw.set("plain", new byte[] {1}, HOUR);

        MemcachedClient<Object> bounded = client(CompatibleTranscoder.spymemcached()
                .compression(Compression.gzip().maxBytes(1000)));
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> bounded.get("bad:bomb"))
                .withMessageContainingAll(
                        "more than 1000 bytes", "(flags 0x2)", "mg \"bad:bomb\" on " + connection.server())
                .satisfies(e -> {
                    assertThat(e.key()).isEqualTo("bad:bomb");
                    assertThat(e.context()).isNotNull();
                });
        assertThatExceptionOfType(MemcachedDecodingException.class).isThrownBy(() -> bounded.gets("bad:bomb"));
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> bounded.getAndTouch("bad:bomb", HOUR));
        MultiGetResult<Object> all = bounded.multiGet(List.of("bad:bomb", "good", "plain", "none:such"));
        assertThat(all.hits()).containsOnlyKeys("good", "plain").containsEntry("good", 42);
        assertThat(all.misses()).containsExactly("none:such");
        assertThat(all.failures()).containsOnlyKeys("bad:bomb");
        assertThat(all.failures().get("bad:bomb"))
                .isInstanceOf(MemcachedDecodingException.class)
                .hasMessageContaining("\"bad:bomb\"");
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
        eventually("nothing is in flight", () -> connection.inFlight() == 0);
        assertThat(ours.get("good")).isEqualTo(42);
    }
}
