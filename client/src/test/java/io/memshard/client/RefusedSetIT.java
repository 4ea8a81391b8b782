// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.memshard.client.connection.Connection;
import io.memshard.client.contract.AsyncAsBlocking;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets that a server or this client refuses. */
@Timeout(60)
class RefusedSetIT extends ScriptedFixture {

    private static final Duration SHORT = Duration.ofMillis(100);

    /** What the server refuses. */
    private static final String FOR_THE_SERVER = "v";

    /** What the client refuses. */
    private static final String FOR_THE_CLIENT = "vvv";

    /** Refuses one value. Answers deletes by {@code ofDelete}, in which # is the opaque. */
    private void serve(String ofDelete) {
        server.onConnection(c -> answer(c, request -> {
            if (request.verb().equals("md")) {
                return ofDelete;
            }
            String stored = request.isQuiet() ? "" : "HD #\r\n";
            return request.value().equals(FOR_THE_SERVER) ? "SERVER_ERROR object too large for cache\r\n" : stored;
        }));
    }

    private List<MemcachedClient<String>> clients(Transport transport, Duration timeout) {
        Connection connection = connect(transport);
        return List.of(
                Clients.blocking(connection, Transcoder.utf8(), 2, timeout),
                AsyncAsBlocking.of(Clients.blocking(connection, Transcoder.utf8(), 2, timeout)
                        .async()));
    }

    private static MemcachedValueTooLargeException failureOfSet(MemcachedClient<String> client, String value) {
        return catchThrowableOfType(
                MemcachedValueTooLargeException.class, () -> client.set("a", value, TimeToLive.NEVER));
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT_LOOP", "CALLER_DRIVEN"})
    void failureOfTheDeleteIsToldToo(Transport transport) {
        serve("SERVER_ERROR object too large for cache\r\n");
        for (MemcachedClient<String> client : clients(transport, LONG)) {
            for (String value : List.of(FOR_THE_SERVER, FOR_THE_CLIENT)) {
                assertThat(failureOfSet(client, value).getSuppressed()).hasSize(1);
                assertThat(client.multiSet(Map.of("a", value), TimeToLive.NEVER)
                                .failures()
                                .get("a")
                                .getSuppressed())
                        .hasSize(1);
            }
        }
        server.verify();
    }

    @ParameterizedTest
    @ValueSource(strings = {FOR_THE_SERVER, FOR_THE_CLIENT})
    void futureOfARefusedSetFailsWithTheExceptionItself(String value) {
        serve("HD #\r\n");
        MemcachedClient<String> client = clients(Transport.EVENT_LOOP, LONG).get(0);

        assertThat(client.async()
                        .set("a", value, TimeToLive.NEVER)
                        .handle((nothing, thrown) -> thrown)
                        .join())
                .isInstanceOf(MemcachedValueTooLargeException.class);
    }

    @Test
    void futuresOfRefusedOperationsFailWithTheExceptionItself() {
        server.onConnection(c -> answer(c, request -> "SERVER_ERROR broken\r\n"));
        AsyncMemcachedClient<String> client =
                clients(Transport.EVENT_LOOP, LONG).get(0).async();
        for (CompletableFuture<?> failed : List.of(
                client.touch("a", LONG),
                client.invalidate("a", LONG),
                client.append("a", "v"),
                client.prepend("a", "v"),
                client.update("a", LONG, old -> "v"))) {
            assertThat(failed.handle((nothing, thrown) -> thrown).join()).isInstanceOf(MemcachedServerException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT_LOOP", "CALLER_DRIVEN"})
    void deleteWithoutAReplyEndsWithTheTimeOut(Transport transport) {
        serve("");
        for (MemcachedClient<String> client : clients(transport, SHORT)) {
            assertThat(failureOfSet(client, FOR_THE_CLIENT).getSuppressed())
                    .hasOnlyElementsOfType(MemcachedTimeoutException.class);
            assertThat(client.multiSet(Map.of("a", FOR_THE_CLIENT), TimeToLive.NEVER)
                            .failures()
                            .get("a")
                            .getSuppressed())
                    .hasOnlyElementsOfType(MemcachedTimeoutException.class);
        }
    }

    /** As mcrouter does for a route that takes no writes. The old value stays there. */
    @ParameterizedTest
    @CsvSource({
        "CLASSIC, NOT_STORED, NOT_STORED",
        "CLASSIC, EXISTS, EXISTS",
        "CLASSIC, NOT_FOUND, NOT_FOUND",
        "META, NS #, NOT_STORED",
        "META, EX #, EXISTS",
        "META, NF #, NOT_FOUND",
    })
    void refusedSetFailsAsInMultiSet(Protocol protocol, String reply, String word) {
        server.onConnection(c -> answer(c, request -> switch (request.verb()) {
            case "mg" -> "EN\r\n";
            case "get" -> "END\r\n";
            default -> reply + "\r\n";
        }));
        ConnectionOptions options = PatientOptions.with(protocol);
        Connection connection = connect(server.host(), server.port(), Transport.EVENT_LOOP, options);
        for (MemcachedClient<String> client : List.of(
                Clients.blocking(connection, Transcoder.utf8(), 1024, LONG),
                AsyncAsBlocking.of(Clients.blocking(connection, Transcoder.utf8(), 1024, LONG)
                        .async()))) {
            MemcachedServerException failure = catchThrowableOfType(
                    MemcachedServerException.class, () -> client.set("key", "v", TimeToLive.NEVER));

            assertThat(failure).isNotNull();
            assertThat(failure).hasMessageStartingWith("the server answered " + word + ": ");
            assertThat(failure.context().phase()).isEqualTo(Phase.REPLIED);
            assertThat(client.multiSet(Map.of("key", "v"), TimeToLive.NEVER).failures())
                    .hasEntrySatisfying(
                            "key",
                            each -> assertThat(each)
                                    .isInstanceOf(MemcachedServerException.class)
                                    .hasMessageStartingWith("the server answered " + word + ": "));
        }
        assertThat(server.connections()).isEqualTo(1);
    }
}
