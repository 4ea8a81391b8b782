// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The failure policies of a template: the same in each mode of the engine memshard, and none with spymemcached. */
@Timeout(60)
class TemplateFailurePolicyIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    private final LeakCheck leakCheck = LeakCheck.start();

    @AfterEach
    void leavesNothing() {
        leakCheck.assertNothingLeft();
    }

    private static MemcachedConnectionFactoryBuilder builder(Mode mode, String host, int port) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .mode(mode)
                .servers(host + ':' + port)
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
        return mode == Mode.SINGLE ? builder : builder.connectionsPerServer(1);
    }

    private static MemcachedTemplate<String> template(MemcachedConnectionFactory factory) {
        return new MemcachedTemplate<>(factory, Transcoder.utf8());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void readsAreMissesAndWritesFailWhileTheServerIsDown(Mode mode) {
        EmbeddedMemcached server = EmbeddedMemcached.start();
        try (MemcachedConnectionFactory factory =
                builder(mode, server.host(), server.port()).build()) {
            MemcachedClient<String> client = template(factory).withFailurePolicy(FailurePolicy.TREAT_AS_MISS);
            client.set("k", "v", TTL);
            assertThat(client.get("k")).isEqualTo("v");
            server.close();
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("k")).isNull();
                MultiGetResult<String> several = client.multiGet(List.of("k", "l"));
                assertThat(several.misses()).containsExactly("k", "l");
                assertThat(client.getOrLoad("k", TTL, key -> "loaded")).isEqualTo("loaded");
                assertThatExceptionOfType(MemcachedConnectionException.class)
                        .isThrownBy(() -> client.set("k", "v", TTL));
                assertThat(client.multiSet(Map.of("k", "v"), TTL).failures()).containsOnlyKeys("k");
            }
        } finally {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void theBuildersPolicyAppliesToEachHandle(Mode mode) {
        EmbeddedMemcached server = EmbeddedMemcached.start();
        try (MemcachedConnectionFactory factory = builder(mode, server.host(), server.port())
                        .failurePolicy(FailurePolicy.TREAT_AS_MISS)
                        .build();
                MemcachedConnection connection = factory.getConnection()) {
            connection.set("k", "v", TTL, Transcoder.utf8());
            server.close();
            assertThat(connection.get("k", Transcoder.utf8())).isNull();
            assertThat(connection.client(Transcoder.utf8()).meta().get(GetRequest.of("k")))
                    .isNull();
        } finally {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aReadThatALostConnectionHasFailedIsSentOnceMore(Mode mode) {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> {
                c.greet();
                if (mode == Mode.POOLED) {
                    c.expectLine("version").send("VERSION 1\r\n");
                }
                c.expectLine(line -> line.startsWith("mg k ")).cut();
            });
            server.onConnection(c -> c.greet().replyTo(line -> switch (line.substring(0, 2)) {
                case "mn" -> "MN\r\n";
                case "ve" -> "VERSION 1\r\n";
                default -> "VA 1 " + line.substring(line.indexOf('O')) + "\r\nv\r\n";
            }));
            try (MemcachedConnectionFactory factory =
                    builder(mode, server.host(), server.port()).build()) {
                MemcachedClient<String> client = template(factory).withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE);
                assertThat(client.get("k")).isEqualTo("v");
            }
        }
    }

    @Test
    void aReadForWhichThePoolHasNoConnectionIsAMiss() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                MemcachedConnectionFactory factory = builder(Mode.POOLED, server.host(), server.port())
                        .poolWaitLimit(Duration.ofMillis(20))
                        .build()) {
            MemcachedClient<String> client = template(factory).withFailurePolicy(FailurePolicy.TREAT_AS_MISS);
            client.set("k", "v", TTL);
            try (MemcachedConnection held = factory.getConnection()) {
                assertThat(held.get("k", Transcoder.utf8())).isEqualTo("v");
                assertThat(client.get("k")).isNull();
                assertThat(client.multiGet(List.of("k")).misses()).containsExactly("k");
                assertThatExceptionOfType(MemcachedOverloadException.class)
                        .isThrownBy(() -> client.set("k", "w", TTL))
                        .withMessageContaining("connections of the pool were in use");
            }
            assertThat(client.multiGet(List.of("k")).hits()).containsExactly(Map.entry("k", "v"));
            assertThat(client.get("k")).isEqualTo("v");
        }
    }

    @Test
    void spymemcachedHasNone() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                MemcachedConnectionFactory factory = builder(Mode.SINGLE, server.host(), server.port())
                        .engine(Engine.SPYMEMCACHED)
                        .build()) {
            MemcachedTemplate<String> template = template(factory);
            for (FailurePolicy policy : FailurePolicy.values()) {
                assertThatExceptionOfType(MemcachedUnsupportedException.class)
                        .isThrownBy(() -> template.withFailurePolicy(policy))
                        .withMessage("engine SPYMEMCACHED has no withFailurePolicy: use engine MEMSHARD");
            }
            assertThat(template.get("k")).isNull();
        }
    }
}
