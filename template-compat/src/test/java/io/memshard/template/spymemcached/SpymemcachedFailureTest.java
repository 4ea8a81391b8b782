// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** spymemcached's ways to fail, put into our exceptions. */
class SpymemcachedFailureTest {

    private final LeakCheck leakCheck = LeakCheck.start("Memcached IO");
    private ScriptedServer server;

    @BeforeEach
    void start() {
        server = ScriptedServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
        leakCheck.assertNothingLeft();
    }

    private MemshardBuilder builder(Duration requestTimeout) {
        return Memshard.builder()
                .servers(server.host() + ':' + server.port())
                .requestTimeout(requestTimeout)
                .connectTimeout(Duration.ofSeconds(5));
    }

    private MemshardOptions options(Duration requestTimeout) {
        return builder(requestTimeout).unwrap(MemshardOptions.class);
    }

    private SpymemcachedConnection open(Duration requestTimeout) {
        return SpymemcachedConnection.open(options(requestTimeout), false, 0);
    }

    private SpymemcachedConnection open() {
        return open(Duration.ofSeconds(5));
    }

    private static ScriptedConnection answered(ScriptedConnection connection) throws IOException {
        return connection.expectLine("version").send("VERSION 1.6.18\r\n");
    }

    @Test
    void aLateReplyIsATimeoutAndTheConnectionStays() {
        server.onConnection(c -> {
            answered(c).expectLine("get slow");
            c.expectLine("get next").send("END\r\nVALUE next 7 2\r\nok\r\nEND\r\n");
        });
        try (SpymemcachedConnection connection = open(Duration.ofMillis(200))) {
            MemcachedClient<EncodedValue> client = connection.client();
            MemcachedTimeoutException timeout =
                    catchThrowableOfType(MemcachedTimeoutException.class, () -> client.get("slow"));
            assertThat(timeout)
                    .hasMessageContaining("no reply within 200 ms")
                    .hasMessageContaining("get \"slow\" on 127.0.0.1:" + server.port() + "[0], awaiting reply");
            assertThat(timeout.isSafeToRetry()).isFalse();
            assertThat(client.get("next").data()).containsExactly('o', 'k');
        }
    }

    @Test
    void hiddenKeysAreInNoMessage() {
        server.onConnection(c -> answered(c)
                .expectLine("get secret")
                .send("VALUE secret 0 1\r\nx\r\nEND\r\n")
                .expectLine("get secret"));
        MemshardOptions hidden = builder(Duration.ofMillis(200)).hideKeys(true).unwrap(MemshardOptions.class);
        try (SpymemcachedConnection connection = SpymemcachedConnection.open(hidden, false, 0)) {
            assertThatThrownBy(() -> connection
                            .client()
                            .withTranscoder(Transcoder.counter())
                            .get("secret"))
                    .isInstanceOf(MemcachedDecodingException.class)
                    .hasMessageNotContaining("secret");
            assertThatThrownBy(() -> connection.client().get("secret"))
                    .isInstanceOf(MemcachedTimeoutException.class)
                    .hasMessageContaining("get (key hidden) on ")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void aCallMayHaveItsOwnTimeout() {
        server.onConnection(c -> {
            answered(c).expectLine("get slow");
            c.expectLine("get many");
            c.expectLine("delete slow").expectLine("version");
            c.expectLine("get next").send("END\r\nEND\r\nDELETED\r\nVERSION 1\r\nVALUE next 7 2\r\nok\r\nEND\r\n");
        });
        try (SpymemcachedConnection connection = open(Duration.ofMinutes(5))) {
            MemcachedClient<EncodedValue> client = connection.client();
            MemcachedClient<EncodedValue> hasty = client.withTimeout(Duration.ofMillis(50));
            assertThatThrownBy(() -> hasty.get("slow"))
                    .isInstanceOf(MemcachedTimeoutException.class)
                    .hasMessageContaining("no reply within 50 ms");
            assertThat(hasty.multiGet(List.of("many")).failures().get("many"))
                    .isInstanceOf(MemcachedTimeoutException.class);
            assertThat(hasty.multiDelete(List.of("slow")).failures().get("slow"))
                    .isInstanceOf(MemcachedTimeoutException.class);
            assertThatThrownBy(hasty.withTranscoder(Transcoder.utf8())::version)
                    .isInstanceOf(MemcachedTimeoutException.class);
            assertThat(client.get("next").data()).containsExactly('o', 'k');
        }
    }

    @Test
    void aLostConnectionFailsCallsInFlightAndThenEveryCallAtOnce() throws Exception {
        server.onConnection(c -> answered(c).expectLine("get a").cut());
        try (SpymemcachedConnection connection = open()) {
            MemcachedClient<EncodedValue> client = connection.client();
            assertThatThrownBy(() -> client.get("a")).isInstanceOf(MemcachedConnectionException.class);
            MemcachedConnectionException refused =
                    catchThrowableOfType(MemcachedConnectionException.class, () -> client.get("b"));
            assertThat(refused.isSafeToRetry()).isTrue();
            assertThat(refused.context().phase()).isEqualTo(Phase.QUEUED);
            assertThat(client.multiGet(List.of("b")).failures()).containsOnlyKeys("b");
            assertThat(connection.isReady()).isFalse();
        }
    }

    @Test
    void errorsOfTheServerAreTypedWithTheirText() {
        server.onConnection(c -> answered(c).expectLine("get a").send("SERVER_ERROR out of memory\r\n"));
        server.onConnection(c -> answered(c).expectLine("get a").send("ERROR\r\n"));
        server.onConnection(c -> answered(c)
                .expectLine("set a 0 0 1")
                .expectLine("v")
                .send("SERVER_ERROR object too large for cache\r\n"));
        assertFails(MemcachedServerException.class, "SERVER_ERROR out of memory", client -> client.get("a"));
        assertFails(MemcachedServerException.class, "ERROR", client -> client.get("a"));
        assertFails(
                MemcachedValueTooLargeException.class,
                "object too large for cache",
                client -> client.set("a", new EncodedValue(new byte[] {'v'}, 0), TimeToLive.NEVER));
    }

    private void assertFails(
            Class<? extends MemcachedException> type,
            String words,
            java.util.function.Consumer<MemcachedClient<EncodedValue>> command) {
        try (SpymemcachedConnection connection = open()) {
            assertThatThrownBy(() -> command.accept(connection.client()))
                    .isInstanceOf(type)
                    .hasMessageContaining(words)
                    .hasMessageContaining("replied");
        }
    }

    @Test
    void aFullQueueIsAnOverload() {
        server.onConnection(c -> answered(c));
        try (SpymemcachedConnection connection = open(Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> new Call(connection, "get", "a", Duration.ofSeconds(1)).submit(spy -> {
                        throw new IllegalStateException("Timed out waiting to add");
                    }))
                    .isInstanceOf(MemcachedOverloadException.class)
                    .hasMessageContaining("queue is full");
        }
    }

    @Test
    void closingFailsCallsInFlight() throws Exception {
        server.onConnection(c -> answered(c).expectLine("get a"));
        SpymemcachedConnection connection = open(Duration.ofMinutes(5));
        CompletableFuture<EncodedValue> caller =
                CompletableFuture.supplyAsync(() -> connection.client().get("a"));
        ScriptedConnection scripted = server.awaitConnection(0, Duration.ofSeconds(5));
        eventually("received", () -> scripted.received().contains("get a"));
        connection.close();
        assertThatThrownBy(() -> caller.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(MemcachedConnectionException.class);
    }

    @Test
    void failurePoliciesAreRefused() {
        server.onConnection(c -> answered(c));
        try (SpymemcachedConnection connection = open()) {
            assertThatThrownBy(() -> connection.client().withFailurePolicy(FailurePolicy.TREAT_AS_MISS))
                    .isInstanceOf(MemcachedUnsupportedException.class)
                    .hasMessageContaining("use engine MEMSHARD");
        }
    }

    @Test
    void aServerThatDoesNotAnswerFailsOpening() {
        assertThatThrownBy(() -> open(Duration.ofMillis(100))).isInstanceOf(MemcachedTimeoutException.class);
    }

    @Test
    void anUnknownHostFailsOpening() {
        MemshardOptions options =
                Memshard.builder().servers("unknown.invalid:11211").unwrap(MemshardOptions.class);
        assertThatThrownBy(() -> SpymemcachedConnection.open(options, false, 0))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("unknown.invalid:11211")
                .hasCauseInstanceOf(UnknownHostException.class);
    }
}
