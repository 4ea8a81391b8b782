// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.memshard.client.chunked.ChunkOptions;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.Phase;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plain sets that a server refuses, as mcrouter does for a route that takes no writes. The old value stays there. */
@Timeout(60)
class RefusedSetIT extends ScriptedFixture {

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
        ConnectionOptions options = PatientOptions.builder().protocol(protocol).build();
        Connection connection = connect(server.host(), server.port(), Transport.EVENT_LOOP, options);
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
