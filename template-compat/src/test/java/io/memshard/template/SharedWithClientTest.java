// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A template over the connections of a client. */
class SharedWithClientTest {

    private static final Duration TTL = Duration.ofMinutes(1);

    private static String address(EmbeddedMemcached server) {
        return server.host() + ':' + server.port();
    }

    private static MemshardBuilder patient(EmbeddedMemcached server) {
        return Memshard.builder().servers(address(server)).requestTimeout(TTL).connectTimeout(TTL);
    }

    @Test
    void theTemplateFollowsTheServersOfTheClient() {
        LeakCheck leaks = LeakCheck.start();
        try (EmbeddedMemcached first = EmbeddedMemcached.start();
                EmbeddedMemcached second = EmbeddedMemcached.start();
                Memshard memshard = patient(first).build()) {
            MemcachedTemplate<String> template =
                    new MemcachedTemplate<>(MemcachedConnectionFactory.over(memshard), Transcoder.utf8());
            Map<String, String> values = new HashMap<>();
            for (int key = 0; key < 50; key++) {
                values.put("key" + key, "value" + key);
            }
            assertThat(template.multiSet(values, TTL).failures()).isEmpty();

            memshard.replace(Server.parseAll(address(first) + ',' + address(second)));
            assertThat(template.multiSet(values, TTL).failures()).isEmpty();

            assertThat(template.multiGet(values.keySet()).hits()).isEqualTo(values);
            assertThat(template.getOrLoad("loaded", TTL, key -> "anew")).isEqualTo("anew");
            assertThat(memshard.serverOf("key1")).isIn(memshard.servers());
            try (Memshard onlySecond = patient(second).build()) {
                assertThat(onlySecond.client().multiGet(values.keySet()).hits())
                        .as("keys that moved")
                        .isNotEmpty();
            }
        }
        leaks.assertNothingLeft();
    }

    @Test
    void theClientOwnsTheConnections() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                Memshard memshard = patient(server).connectionsPerServer(1).build()) {
            MemcachedConnectionFactory factory = MemcachedConnectionFactory.over(memshard);
            assertThat(factory.mode()).isEqualTo(Mode.SINGLE);
            assertThat(factory.engine()).isEqualTo(Engine.MEMSHARD);
            factory.awaitReady(Duration.ofSeconds(30));
            assertThat(factory.health(Duration.ofSeconds(30)).isUp()).isTrue();

            factory.close(Duration.ZERO);
            factory.close();

            assertThat(memshard.connectionStates()).containsExactly(ConnectionState.READY);
            assertThat(memshard.client().get("any")).isNull();
        }
    }
}
