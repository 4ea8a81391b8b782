// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of replies in the classic text protocol, where their order and their keys are all there is. */
@EachTransport
@Timeout(120)
class ClassicReplyIT extends ConnectionFixture {

    ClassicReplyIT(Transport transport) {
        super(transport, Protocol.CLASSIC);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "VALUE b 0 1\r\nx\r\nEND\r\n",
                "VALUE a 0 -1\r\n",
                "VALUE a 0 4294967296\r\n",
                "VALUE a 0 1\r\nxyz\r\n",
                "VALUE a 0\r\n",
                "VALUE a 0 1\r\nx\r\nVALUE a 0 1\r\ny\r\nEND\r\n",
                "VA 1 f0 O2\r\nx\r\n",
                "STORED\r\n",
                "NOT_FOUND\r\n",
                "5\r\n",
                "MN\r\n",
                "HTTP/1.1 400 Bad Request\r\n",
                "ERROR Too many open connections\r\n",
                "CLIENT_ERROR bad data chunk\r\n",
                "CLIENT_ERROR line too long\r\n",
                "\n",
            })
    void untrustworthyReplyFailsAllInFlightAndReplacesTheConnection(String reply) {
        failsAllAndIsReplaced(
                MemcachedProtocolException.class,
                "protocol CLASSIC is already in use, so no setting helps",
                c -> threeRequests(c).send(reply));
    }

    final void failsAllAndIsReplaced(
            Class<? extends MemcachedException> type, String reason, ScriptedServer.Script misbehaviour) {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    greet(c);
                    misbehaviour.play(c);
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (String key : List.of("a", "b", "c")) {
            futures.add(future(connection, get(key)));
        }
        for (CompletableFuture<?> future : futures) {
            MemcachedException failure = failure(type, future);
            assertThat(failure).hasMessageContaining(reason).hasMessageContaining(getVerb() + " \"");
            assertThat(failure.isSafeToRetry()).isFalse();
        }
        worksAgain(connection);
        assertThat(connection.inFlight()).isZero();
        assertThat(server.connections()).isEqualTo(2);
    }

    static ScriptedConnection threeRequests(ScriptedConnection c) {
        for (int i = 0; i < 3; i++) {
            c.expectLine(line -> line.startsWith("mg ") || line.startsWith("get "));
        }
        return c;
    }
}
