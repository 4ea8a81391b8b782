// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A timeout of a template's own, over a server that answers too late for it, and never for that of the factory. */
@Timeout(60)
class TemplateTimeoutIT {

    private static final Duration SHORT = Duration.ofMillis(50);

    static Stream<Arguments> enginesAndModes() {
        return Arrays.stream(Engine.values())
                .flatMap(engine -> Arrays.stream(Mode.values()).map(mode -> Arguments.of(engine, mode)));
    }

    private static ScriptedServer serverSilentToAnyGet() {
        ScriptedServer server = ScriptedServer.start();
        for (int connections = 0; connections < 4; connections++) {
            server.onConnection(c -> c.replyTo(line -> switch (line.substring(0, 2)) {
                case "mn" -> "MN\r\n";
                case "mg" -> line.startsWith("mg k ") ? "" : "EN\r\n";
                case "ve" -> "VERSION 1.6.18\r\n";
                default -> "";
            }));
        }
        return server;
    }

    private static MemcachedConnectionFactory factory(Engine engine, Mode mode, ScriptedServer server) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .servers(server.host() + ':' + server.port())
                .requestTimeout(Duration.ofMinutes(5))
                .connectTimeout(Duration.ofMinutes(5));
        return (mode == Mode.SINGLE ? builder : builder.connectionsPerServer(2)).build();
    }

    @ParameterizedTest
    @MethodSource("enginesAndModes")
    void appliesToTheTemplateAndToThoseDerivedFromIt(Engine engine, Mode mode) {
        try (ScriptedServer server = serverSilentToAnyGet();
                MemcachedConnectionFactory factory = factory(engine, mode, server)) {
            factory.awaitReady(Duration.ofMinutes(5));
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            for (MemcachedClient<?> hasty : List.of(
                    template.withTimeout(SHORT),
                    template.withTimeout(SHORT).withTranscoder(Transcoder.bytes()),
                    engine == Engine.SPYMEMCACHED
                            ? template.withTimeout(SHORT)
                            : template.withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE)
                                    .withTimeout(SHORT))) {
                assertThatExceptionOfType(MemcachedTimeoutException.class)
                        .isThrownBy(() -> hasty.get("k"))
                        .withMessageContaining("no reply within 50 ms");
            }
            assertThatExceptionOfType(MemcachedTimeoutException.class)
                    .isThrownBy(() ->
                            template.withTimeout(SHORT).execute(connection -> connection.get("k", Transcoder.utf8())));
            if (engine == Engine.MEMSHARD) {
                assertThat(template.withTimeout(SHORT)
                                .withFailurePolicy(FailurePolicy.TREAT_AS_MISS)
                                .get("k"))
                        .isNull();
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> template.withTimeout(Duration.ZERO))
                    .withMessageContaining("timeout is PT0S");
            Duration tooLong = Duration.ofDays(200_000);
            try (MemcachedConnection connection = factory.getConnection()) {
                for (ThrowingCallable call : List.<ThrowingCallable>of(
                        () -> template.withTimeout(tooLong),
                        () -> connection.client(Transcoder.utf8()).withTimeout(tooLong))) {
                    assertThatIllegalArgumentException()
                            .isThrownBy(call)
                            .withMessage("timeout is PT4800000H, but must be more than zero and at most PT576H");
                }
            }
        }
    }
}
