// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.ClientVariant.Calls;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of getOrLoad under each failure policy, and of the claim, when the server fails. */
@Timeout(60)
class LoadPolicyIT extends ScriptedFixture {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MAX_VALUE_BYTES = 1024;

    /** The answer to a get that makes its caller the one to load; # is the opaque. */
    private static final String WON = "VA 0 W f0 c7 #\r\n\r\n";

    private MemcachedClient<String> client(Calls calls, FailurePolicy policy) {
        return calls.client(connect(Transport.AUTO), Transcoder.utf8(), MAX_VALUE_BYTES, LONG)
                .withFailurePolicy(policy);
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

    @ParameterizedTest
    @EnumSource
    void loadsWhileTheServerIsAwayIfThatIsAMiss(Calls calls) {
        server.stopAccepting();
        MemcachedClient<String> client = client(calls, FailurePolicy.TREAT_AS_MISS);
        assertThat(client.getOrLoad("k", HOUR, k -> k + " loaded")).isEqualTo("k loaded");
        assertThat(client.getOrLoad("k", HOUR, k -> null)).isNull();
        for (FailurePolicy other : List.of(FailurePolicy.FAIL_FAST, FailurePolicy.RETRY_ONCE_IF_SAFE)) {
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> client(calls, other).getOrLoad("k", HOUR, k -> "loaded"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void storesNothingIfAskingHasFailed(Calls calls) throws Exception {
        server.onConnection(c -> answer(c, "SERVER_ERROR busy\r\n", "NS #\r\n"));
        assertThat(client(calls, FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("loaded");
        assertThat(received()).contains("mg k ").doesNotContain("ms ").doesNotContain("md ");
    }

    @ParameterizedTest
    @EnumSource
    void loadsWhatCannotBeDecodedIfThatIsAMiss(Calls calls) {
        server.onConnection(c -> answer(c, "VA 3 f0 c7 #\r\nabc\r\n", "NS #\r\n"));
        MemcachedClient<Long> numbers =
                client(calls, FailurePolicy.TREAT_AS_MISS).withTranscoder(Transcoder.counter());
        assertThat(numbers.getOrLoad("k", HOUR, k -> 42L)).isEqualTo(42);
        assertThat(numbers.meta().get(GetRequest.of("k"))).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void serverWithoutCasUniquesIsRefusedBeforeTheLoaderRuns(Calls calls) {
        for (String placeholder : List.of("VA 0 W f0 c0 #\r\n\r\n", "VA 0 Z f0 c0 #\r\n\r\n")) {
            server.onConnection(c -> answer(c, placeholder, "HD #\r\n"));
            MemcachedClient<String> client = client(calls, FailurePolicy.TREAT_AS_MISS);
            assertThatExceptionOfType(MemcachedUnsupportedException.class)
                    .isThrownBy(() -> client.getOrLoad("k", HOUR, k -> {
                        throw new AssertionError("loads");
                    }))
                    .withMessageContaining("\"k\"")
                    .withMessageContaining("memcached -C");
        }
    }

    @ParameterizedTest
    @EnumSource
    void replyWithoutTheCasUniqueIsAFailureOfItsKeyAlone(Calls calls) throws Exception {
        for (String reply : List.of("VA 0 W f0 #\r\n\r\n", "VA 0 Z f0 #\r\n\r\n", "VA 1 f0 #\r\nv\r\n")) {
            server.onConnection(c -> answer(c, reply, "HD #\r\n"));
            server.onConnection(c -> answer(c, reply, "HD #\r\n"));
            MemcachedClient<String> client = client(calls, FailurePolicy.FAIL_FAST);
            assertThatExceptionOfType(MemcachedProtocolException.class)
                    .isThrownBy(() -> client.getOrLoad("k", HOUR, k -> "loaded"))
                    .withMessageContaining("the server's reply lacks flag c, which was requested")
                    .withMessageContaining("\"k\"");
            assertThatExceptionOfType(MemcachedProtocolException.class)
                    .isThrownBy(() -> client.gets("k"))
                    .withMessageContaining("lacks flag c, which was requested");
            assertThat(client(calls, FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"))
                    .isEqualTo("loaded");
        }
        assertThat(server.connections()).as("each connection stays").isEqualTo(6);
        assertThat(received()).doesNotContain("ms ");
    }

    @Test
    void aKeyOfManyWithoutItsCasUniqueFails() {
        server.onConnection(c -> answer(c, "VA 0 W f0 #\r\n\r\n", "HD #\r\n"));
        MultiGetResult<String> result = client(Calls.BLOCKING, FailurePolicy.FAIL_FAST)
                .multiGetOrLoad(List.of("a", "b"), HOUR, keys -> Map.of("a", "1", "b", "2"));
        assertThat(result.hits()).isEmpty();
        assertThat(result.failures()).containsOnlyKeys("a", "b");
        assertThat(result.failures().values()).hasOnlyElementsOfType(MemcachedProtocolException.class);
    }

    @ParameterizedTest
    @EnumSource
    void givesTheClaimBackIfStoringFails(Calls calls) throws Exception {
        server.onConnection(c -> answer(c, WON, "SERVER_ERROR out of memory storing object\r\n"));
        assertThat(client(calls, FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("loaded");
        assertThat(received()).contains("ms k 6 T3600 C7 ").contains("md k C7 ");
        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> client(calls, FailurePolicy.FAIL_FAST).getOrLoad("k", HOUR, k -> "loaded"));
    }

    @ParameterizedTest
    @EnumSource
    void returnsTheValueIfTheConnectionIsLostBeforeItIsStored(Calls calls) {
        server.onConnection(c -> {
            c.greet();
            c.send(WON.replace("#", opaqueFlag(c.readLine()))).readLine();
            c.cut();
        });
        server.onConnection(c -> answer(c, WON, "HD #\r\n"));
        assertThat(client(calls, FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("loaded");
    }

    @ParameterizedTest
    @EnumSource
    void failureOfTheLoaderIsThrownEvenIfItIsOneOfOurs(Calls calls) {
        server.stopAccepting();
        MemcachedServerException thrown = new MemcachedServerException("of another cache", null, null);
        assertThatThrownBy(() -> client(calls, FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
    }

    @ParameterizedTest
    @EnumSource
    void serverWithoutMetaCommandsIsNoMiss(Calls calls) {
        server.onConnection(c -> c.replyTo(line -> line.startsWith("get ") ? "END\r\n" : "ERROR\r\n"));
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> client(calls, FailurePolicy.TREAT_AS_MISS).getOrLoad("k", HOUR, k -> "loaded"));
    }

    @ParameterizedTest
    @EnumSource
    void asksAgainIfTheConnectionWasLostAndWaitsIfTheWinWasLostWithIt(Calls calls) {
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
        assertThat(client(calls, FailurePolicy.RETRY_ONCE_IF_SAFE).getOrLoad("k", HOUR, k -> "loaded"))
                .isEqualTo("value");
    }
}
