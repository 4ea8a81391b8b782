// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A scripted engine knows one image and can pull none. */
class DockerEngineTest {

    private static String answer(String requestLine) {
        if (requestLine.startsWith("GET /_ping") || requestLine.startsWith("GET /images/present:1/json")) {
            return "HTTP/1.0 200 OK\r\n\r\nOK";
        }
        if (requestLine.startsWith("POST /images/create?fromImage=absent%3A1 ")) {
            return "HTTP/1.0 200 OK\r\n\r\n{\"status\":\"Pulling\"}\r\n{\"error\":\"no such host\"}\r\n";
        }
        if (requestLine.startsWith("GET /images/json?filters=")) {
            boolean present = requestLine.contains("%5B%22present%22%5D");
            return "HTTP/1.0 200 OK\r\n\r\n" + (present ? "[{\"RepoTags\":[\"present:1\"]}]" : "[]") + "\r\n";
        }
        return "HTTP/1.0 404 Not Found\r\n\r\n{\"message\":\"No such image\"}\r\n";
    }

    @Test
    void distinguishesPresentImagesFromMissingOnes() throws IOException {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> {
                String requestLine = c.readLine();
                c.send(answer(requestLine)).cut();
            });
            DockerEngine engine = DockerEngine.find("tcp://127.0.0.1:" + server.port());
            assertThat(engine.hasImage("present:1")).isTrue();
            assertThat(engine.hasImage("absent:1")).isFalse();
            assertThat(engine.hasAnyTagOf("present:2")).isTrue();
            assertThat(engine.hasAnyTagOf("absent:1")).isFalse();
            assertThatIOException()
                    .isThrownBy(() -> engine.pull("absent:1", Duration.ofSeconds(60)))
                    .withMessageContaining("absent:1")
                    .withMessageContaining("no such host");
        }
    }

    @Test
    void commandsThatTheEngineRejectsOrIsUnableToExecuteFail() throws IOException {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> {
                String requestLine = c.readLine();
                String answer = requestLine.startsWith("POST /containers/known/pause ")
                        ? "HTTP/1.0 204 No Content\r\n\r\n"
                        : requestLine.startsWith("POST /containers/ended/")
                                ? "HTTP/1.0 409 Conflict\r\n\r\n{\"message\":\"is not running\"}\r\n"
                                : requestLine.startsWith("POST /networks/")
                                        ? "HTTP/1.0 500 Internal Server Error\r\n\r\n{\"message\":\"no iptables\"}\r\n"
                                        : answer(requestLine);
                c.send(answer).cut();
            });
            DockerEngine engine = DockerEngine.find("tcp://127.0.0.1:" + server.port());
            engine.pause("known");
            assertRejected(() -> engine.unpause("unknown"), false, "/containers/unknown/unpause", "404");
            assertRejected(() -> engine.pause("ended"), true, "is not running", "409");
            assertRejected(() -> engine.disconnect("known"), false, "no iptables", "500");
        }
    }

    private static void assertRejected(ThrowingCallable command, boolean isEnded, String... parts) {
        assertThatExceptionOfType(ContainerException.class)
                .isThrownBy(command)
                .satisfies(e -> assertThat(e.isOfEndedContainer()).isEqualTo(isEnded))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    @Test
    void anEngineThatDoesNotAnswerIsReported() throws IOException {
        try (ScriptedServer silent = ScriptedServer.start()) {
            DockerEngine engine = DockerEngine.named("tcp://127.0.0.1:" + silent.port());
            assertThatIOException()
                    .isThrownBy(() -> engine.ping(Duration.ofMillis(20)))
                    .withMessageContaining("did not answer");
        }
    }

    @Test
    void anUnhealthyEngineIsRejected() {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> {
                c.readLine();
                c.send("HTTP/1.0 500 Internal Server Error\r\n\r\n").cut();
            });
            assertThatIOException()
                    .isThrownBy(() -> DockerEngine.find("tcp://127.0.0.1:" + server.port()))
                    .withMessageContaining("is unhealthy");
        }
    }
}
