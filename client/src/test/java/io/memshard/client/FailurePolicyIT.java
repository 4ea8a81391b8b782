// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.ClientVariant.Calls;
import io.memshard.client.connection.Connection;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failure policies and timeouts of a call over lost connections, by each transport and way to call. */
@Timeout(60)
@ParameterizedClass
@EnumSource
class FailurePolicyIT extends ScriptedFixture {

    private static final Duration SHORT = Duration.ofMillis(50);

    @Parameter
    private Calls calls;

    private MemcachedClient<String> client(Connection connection, FailurePolicy policy) {
        return calls.client(connection, Transcoder.utf8(), 1024, LONG).withFailurePolicy(policy);
    }

    private static void cutAtTheFirstCommand(ScriptedConnection connection) {
        connection.greet().readLine();
        connection.cut();
    }

    private static void answerEach(ScriptedConnection connection) {
        answer(connection, request -> request.verb().equals("mg") ? "VA 5 f0 #\r\nvalue\r\n" : "HD #\r\n");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void readThatALostConnectionHasFailedIsAnsweredByTheNext(Transport transport) {
        server.onConnection(FailurePolicyIT::cutAtTheFirstCommand).onConnection(FailurePolicyIT::answerEach);

        assertThat(client(connect(transport), FailurePolicy.RETRY_ONCE_IF_SAFE).get("key"))
                .isEqualTo("value");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void incrementThatMayHaveBeenExecutedIsNeverSentTwice(Transport transport) throws Exception {
        server.onConnection(FailurePolicyIT::cutAtTheFirstCommand).onConnection(FailurePolicyIT::answerEach);
        MemcachedClient<String> client = client(connect(transport), FailurePolicy.RETRY_ONCE_IF_SAFE);

        assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> client.incr("key", 1));
        ScriptedConnection next = server.awaitConnection(1, LONG);
        assertThat(client.get("key")).isEqualTo("value");
        assertThat(next.received()).contains("mg key").doesNotContain("ma ");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void readIsAMissWhileTheServerIsAway(Transport transport) {
        server.stopAccepting();
        Connection connection = connect(transport);
        MemcachedClient<String> client = client(connection, FailurePolicy.TREAT_AS_MISS);

        assertThat(client.get("key")).isNull();
        assertThat(client.multiGet(List.of("a", "b")).misses()).containsExactlyInAnyOrder("a", "b");
        assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> client.delete("key"));
        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(
                        () -> client.withFailurePolicy(FailurePolicy.FAIL_FAST).get("key"));
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void timeoutHoldsForTheViewItWasGivenTo(Transport transport) {
        server.onConnection(c -> c.greet().replyTo(line -> line.equals("version") ? "VERSION 1.6.18\r\n" : ""));
        Connection connection = connect(transport);
        MemcachedClient<String> client = client(connection, FailurePolicy.RETRY_ONCE_IF_SAFE);
        client.version();

        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> client.withTimeout(SHORT).get("key"))
                .withMessageContaining("no reply within 50 ms");
    }
}
