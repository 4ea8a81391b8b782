// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The protocol that the factory's builder sets is the one that is spoken. */
@Timeout(60)
class ProtocolOptionIT {

    private static MemcachedConnectionFactory factory(ScriptedServer server, Protocol protocol) {
        return MemcachedConnectionFactory.builder()
                .servers(server.host() + ':' + server.port())
                .requestTimeout(Duration.ofSeconds(30))
                .protocol(protocol)
                .connectionsPerServer(1)
                .build();
    }

    /** Answers every command of either protocol that the test sends. */
    private static ScriptedServer server() {
        return ScriptedServer.start()
                .onConnection(c -> c.greet().replyTo(line -> switch (line.substring(0, 2)) {
                    case "mn" -> "MN\r\n";
                    case "mg" -> "EN\r\n";
                    default -> "END\r\n";
                }));
    }

    @Test
    void classicIsSpokenWithoutProbingForMeta() throws Exception {
        try (ScriptedServer server = server();
                MemcachedConnectionFactory factory = factory(server, Protocol.CLASSIC)) {
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            assertThat(template.get("k")).isNull();
            assertThatExceptionOfType(MemcachedUnsupportedException.class)
                    .isThrownBy(() -> template.getOrLoad("k", TimeToLive.NEVER, k -> "not called"));
            assertThat(server.awaitConnection(0, Duration.ofSeconds(30)).received())
                    .contains("get k\r\n")
                    .doesNotContain("mn")
                    .doesNotContain("mg");
        }
    }

    @Test
    void metaIsSpokenByDefaultAndFailsWithoutItIfRequired() {
        try (ScriptedServer server = server();
                MemcachedConnectionFactory factory = factory(server, Protocol.AUTO)) {
            assertThat(factory.getConnection().get("k", Transcoder.utf8())).isNull();
        }
        try (ScriptedServer server = ScriptedServer.start().onConnection(c -> c.replyTo(line -> "ERROR\r\n"));
                MemcachedConnectionFactory factory = factory(server, Protocol.META)) {
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> factory.getConnection().get("k", Transcoder.utf8()));
        }
    }
}
