// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.ClientVariant.Calls;
import io.memshard.client.connection.Connection;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Outcomes of calls and loads under each failure policy while the server or the network fails. */
@Timeout(60)
@ParameterizedClass
@EnumSource
class FailurePolicyIT extends ScriptedFixture {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration HOUR = Duration.ofHours(1);

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
    @EnumSource(names = {"EVENT_LOOP", "CALLER_DRIVEN"})
    void incrementThatMayHaveBeenExecutedIsNeverSentTwice(Transport transport) throws Exception {
        server.onConnection(FailurePolicyIT::cutAtTheFirstCommand).onConnection(FailurePolicyIT::answerEach);
        MemcachedClient<String> client = client(connect(transport), FailurePolicy.RETRY_ONCE_IF_SAFE);

        assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> client.incr("key", 1));
        ScriptedConnection next = server.awaitConnection(1, LONG);
        assertThat(client.get("key")).isEqualTo("value");
        assertThat(next.received()).contains("mg key").doesNotContain("ma ");
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT_LOOP", "CALLER_DRIVEN"})
    void timeoutHoldsForTheViewItWasGivenTo(Transport transport) {
        server.onConnection(c -> c.greet().replyTo(line -> line.equals("version") ? "VERSION 1.6.18\r\n" : ""));
        Connection connection = connect(transport);
        MemcachedClient<String> client = client(connection, FailurePolicy.RETRY_ONCE_IF_SAFE);
        client.version();

        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> client.withTimeout(SHORT).get("key"))
                .withMessageContaining("no reply within 50 ms");
    }

    // Loads.

    /** The answer to a get that makes its caller the one to load; # is the opaque. */
    private static final String WON = "VA 0 W f0 c7 #\r\n\r\n";

    private MemcachedClient<String> client(FailurePolicy policy) {
        return client(connect(Transport.CALLER_DRIVEN), policy);
    }

    private static String opaqueFlag(String line) {
        return line.substring(line.lastIndexOf(' ') + 1);
    }

    /** Answers every get of a value and every set alike. */
    private static void answer(ScriptedConnection connection, String toGet, String toSet) {
        answer(connection, request -> switch (request.verb()) {
            case "mg" -> request.line().contains(" v ") ? toGet : "HD c0 #\r\n";
            case "ms" -> toSet;
            default -> "HD #\r\n";
        });
    }

    private String received() throws InterruptedException {
        return server.awaitConnection(0, LONG).received();
    }

    @Test
    void loadsWithoutAServerIfFailuresAreMisses() {
        server.stopAccepting();
        MemcachedClient<String> client = client(FailurePolicy.TREAT_AS_MISS);
        assertThat(client.getOrLoad("k", HOUR, k -> k + " loaded")).isEqualTo("k loaded");
        assertThat(client.getOrLoad("k", HOUR, k -> null)).isNull();
        for (FailurePolicy other : List.of(FailurePolicy.FAIL_FAST, FailurePolicy.RETRY_ONCE_IF_SAFE)) {
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> client(other).getOrLoad("k", HOUR, k -> "loaded"));
        }
    }

    @Test
    void storesNothingIfTheReadFailed() throws Exception {
        server.onConnection(c -> answer(c, "SERVER_ERROR busy\r\n", "NS #\r\n"));
        assertThat(client(FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("loaded");
        assertThat(received()).contains("mg k ").doesNotContain("ms ").doesNotContain("md ");
    }

    @Test
    void loadsAnUndecodableValueIfFailuresAreMisses() {
        server.onConnection(c -> answer(c, "VA 3 f0 c7 #\r\nabc\r\n", "NS #\r\n"));
        MemcachedClient<Long> numbers = client(FailurePolicy.TREAT_AS_MISS).withTranscoder(Transcoder.counter());
        assertThat(numbers.getOrLoad("k", HOUR, k -> 42L)).isEqualTo(42);
        assertThat(numbers.meta().get(GetRequest.of("k"))).isNull();
    }

    @Test
    void serverWithoutCasUniquesIsRefusedBeforeTheLoaderRuns() {
        for (String placeholder : List.of("VA 0 W f0 c0 #\r\n\r\n", "VA 0 Z f0 c0 #\r\n\r\n")) {
            server.onConnection(c -> answer(c, placeholder, "HD #\r\n"));
            MemcachedClient<String> client = client(FailurePolicy.TREAT_AS_MISS);
            assertThatExceptionOfType(MemcachedUnsupportedException.class)
                    .isThrownBy(() -> client.getOrLoad("k", HOUR, k -> {
                        throw new AssertionError("loads");
                    }))
                    .withMessageContaining("\"k\"")
                    .withMessageContaining("memcached -C");
        }
    }

    @Test
    void aKeyOfManyWithoutItsCasUniqueFails() {
        server.onConnection(c -> answer(c, "VA 0 W f0 #\r\n\r\n", "HD #\r\n"));
        MultiGetResult<String> result = client(FailurePolicy.FAIL_FAST)
                .multiGetOrLoad(List.of("a", "b"), HOUR, keys -> Map.of("a", "1", "b", "2"));
        assertThat(result.hits()).isEmpty();
        assertThat(result.failures()).containsOnlyKeys("a", "b");
        assertThat(result.failures().values()).hasOnlyElementsOfType(MemcachedUnsupportedException.class);
    }

    @Test
    void releasesTheClaimIfTheStoreFails() throws Exception {
        server.onConnection(c -> answer(c, WON, "SERVER_ERROR out of memory storing object\r\n"));
        assertThat(client(FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("loaded");
        assertThat(received()).contains("ms k 6 T3600 C7 ").contains("md k C7 ");
        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> client(FailurePolicy.FAIL_FAST).getOrLoad("k", HOUR, k -> "loaded"));
    }

    @Test
    void returnsTheValueIfTheConnectionIsLostBeforeItIsStored() {
        server.onConnection(c -> {
            c.greet();
            c.send(WON.replace("#", opaqueFlag(c.readLine()))).readLine();
            c.cut();
        });
        server.onConnection(c -> answer(c, WON, "HD #\r\n"));
        assertThat(client(FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("loaded");
    }

    @Test
    void memcachedExceptionOfTheLoaderIsThrownToo() {
        server.stopAccepting();
        MemcachedServerException thrown = new MemcachedServerException("of another cache", null, null);
        assertThatThrownBy(() -> client(FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
    }

    @Test
    void serverWithoutMetaCommandsFailsInsteadOfMissing() {
        server.onConnection(c -> c.replyTo(line -> line.startsWith("get ") ? "END\r\n" : "ERROR\r\n"));
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> client(FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"));
    }

    @Test
    void retriesALostReadAndWaitsIfItsClaimWasLostToo() {
        server.onConnection(c -> {
            c.greet().readLine();
            c.cut();
        });
        server.onConnection(c -> {
            c.greet();
            c.send("VA 0 Z f0 c7 #\r\n\r\n".replace("#", opaqueFlag(c.readLine())));
            c.send("VA 5 f0 c8 #\r\nvalue\r\n".replace("#", opaqueFlag(c.readLine())));
            c.ignore();
        });
        assertThat(client(FailurePolicy.RETRY_ONCE_IF_SAFE).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("value");
    }
}
