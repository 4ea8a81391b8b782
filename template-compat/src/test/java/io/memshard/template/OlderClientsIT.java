// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import net.rubyeye.xmemcached.XMemcachedClient;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A template of either engine and the older clients share a cache: each reads what the other writes. */
@MemcachedTest
class OlderClientsIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int HOUR_SECONDS = 3600;

    private static final Transcoder<Object> SERIALIZED =
            CompatibleTranscoder.spymemcached().javaSerialization(JavaSerialization.allowing("java.util.ArrayList"));

    private static final List<Object> VALUES = List.of(
            "h\u00e9llo",
            "x".repeat(100_000),
            true,
            300,
            -1L,
            new Date(123),
            1.5f,
            Math.E,
            new ArrayList<>(List.of("a", "b")));

    private static MemcachedTemplate<Object> template(Engine engine, MemcachedServer server) {
        return new MemcachedTemplate<>(
                MemcachedConnectionFactory.builder()
                        .engine(engine)
                        .servers(server.host() + ':' + server.port())
                        .requestTimeout(Duration.ofSeconds(30))
                        .connectTimeout(Duration.ofSeconds(30))
                        .build(),
                SERIALIZED);
    }

    @ParameterizedTest
    @EnumSource
    void spymemcachedAndTheTemplateReadEachOther(Engine engine, MemcachedServer server) throws Exception {
        MemcachedTemplate<Object> ours = template(engine, server);
        MemcachedClient theirs = new MemcachedClient(
                new ConnectionFactoryBuilder()
                        .setDaemon(true)
                        .setOpTimeout(30_000)
                        .build(),
                List.of(new InetSocketAddress(server.host(), server.port())));
        try {
            for (Object value : VALUES) {
                assertThat(theirs.set("spy", HOUR_SECONDS, value).get()).isTrue();
                assertThat(ours.get("spy")).isEqualTo(value);
                ours.set("spy", value, HOUR);
                assertThat(theirs.get("spy")).isEqualTo(value);
            }
            assertThat(theirs.incr("spy-count" + engine, 1, 5, HOUR_SECONDS)).isEqualTo(5);
            assertThat(ours.increment("spy-count" + engine, 2)).hasValue(7);
            assertThat(theirs.incr("spy-count" + engine, 1)).isEqualTo(8);
            assertThat(ours.multiGet(List.of("spy", "none")).hitsOrThrow()).isEqualTo(theirs.getBulk("spy", "none"));
        } finally {
            theirs.shutdown();
            ours.getConnectionFactory().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void xmemcachedAndTheTemplateReadEachOther(Engine engine, MemcachedServer server) throws Exception {
        MemcachedTemplate<Object> ours = template(engine, server);
        XMemcachedClient theirs = new XMemcachedClient(server.host(), server.port());
        theirs.setOpTimeout(30_000);
        try {
            for (Object value : VALUES) {
                assertThat(theirs.set("xmc", HOUR_SECONDS, value)).isTrue();
                assertThat(ours.get("xmc")).isEqualTo(value);
                ours.set("xmc", value, HOUR);
                assertThat(theirs.<Object>get("xmc")).isEqualTo(value);
            }
            assertThat(theirs.incr("xmc-count" + engine, 1, 5)).isEqualTo(5);
            assertThat(ours.increment("xmc-count" + engine, 2)).hasValue(7);
            assertThat(theirs.incr("xmc-count" + engine, 1, 5)).isEqualTo(8);
        } finally {
            theirs.shutdown();
            ours.getConnectionFactory().close();
        }
    }
}
