// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.memshard.client.chunked.ChunkOptions;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.Phase;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plain sets that a server refuses, as mcrouter does for a route that takes no writes. The old value stays there. */
@Timeout(60)
class RefusedSetIT {

    private final ScriptedServer server = ScriptedServer.start();

    @AfterEach
    void close() {
        server.close();
    }

    /** Answers each store with this reply. Reads are misses. */
    private static void refuse(ScriptedConnection connection, String reply) {
        String[] opaque = new String[1];
        connection.replyTo(line -> {
            String[] words = line.split(" ");
            return switch (words[0]) {
                case "ms", "set" -> {
                    opaque[0] = words[words.length - 1].equals("q") ? words[words.length - 2] : words[words.length - 1];
                    yield "";
                }
                case "mn" -> "MN\r\n";
                case "mg" -> "EN\r\n";
                case "get" -> "END\r\n";
                default -> reply.replace("#", opaque[0]) + "\r\n";
            };
        });
    }

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
        server.onConnection(connection -> refuse(connection, reply));
        ConnectionOptions options = PatientOptions.builder().protocol(protocol).build();
        try (ConnectionGroup group = new ConnectionGroup(options, 1)) {
            Connection connection =
                    group.newConnection(new ServerAddress(server.host(), server.port()), 0, Transport.EVENT_LOOP);
            MemcachedClient<byte[]> bytes = Clients.blocking(connection, Transcoder.bytes(), 1024, LONG);
            for (ItemOperations<String> client : List.of(
                    Clients.blocking(connection, Transcoder.utf8(), 1024, LONG),
                    AsyncAsBlocking.of(Clients.async(connection, Transcoder.utf8(), 1024, LONG)),
                    ChunkedClient.over(bytes, Transcoder.utf8(), ChunkOptions.DEFAULTS))) {
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
}
