// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A set of a template that the server refuses without an error word fails, as it does in spymemcached. */
@Timeout(60)
class TemplateRefusedSetIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    private static void refuse(ScriptedConnection connection) {
        connection.replyTo(line -> {
            String verb = line.split(" ")[0];
            return switch (verb) {
                case "set" -> "";
                case "version" -> "VERSION 1.4.0\r\n";
                case "get" -> "END\r\n";
                case "mg", "mn" -> "ERROR\r\n";
                default -> "NOT_STORED\r\n";
            };
        });
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void refusedSetFails(Engine engine) throws Exception {
        ScriptedServer server = ScriptedServer.start().onConnection(TemplateRefusedSetIT::refuse);
        try (server;
                MemcachedConnectionFactory factory = MemcachedConnectionFactory.builder()
                        .engine(engine)
                        .servers(server.host() + ':' + server.port())
                        .requestTimeout(Duration.ofSeconds(30))
                        .connectTimeout(Duration.ofSeconds(30))
                        .build()) {
            String text =
                    engine == Engine.MEMSHARD ? "the server answered NOT_STORED" : "the server did not store the value";
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());

            assertThatExceptionOfType(MemcachedServerException.class)
                    .isThrownBy(() -> template.set("key", "v", TTL))
                    .withMessageContaining(text);
            assertThatThrownBy(() -> template.async().set("key", "v", TTL).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(MemcachedServerException.class)
                    .hasMessageContaining(text);
        }
    }
}
