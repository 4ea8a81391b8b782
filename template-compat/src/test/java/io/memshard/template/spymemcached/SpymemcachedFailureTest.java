// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.spy.memcached.internal.CheckedOperationTimeoutException;
import net.spy.memcached.ops.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** spymemcached's ways to fail, put into our exceptions. */
class SpymemcachedFailureTest {

    private static final Duration LONG = Duration.ofMinutes(1);

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
                .connectTimeout(LONG);
    }

    private MemshardOptions options(Duration requestTimeout) {
        return builder(requestTimeout).unwrap(MemshardOptions.class);
    }

    private SpymemcachedConnection open(Duration requestTimeout) {
        return SpymemcachedConnection.open(options(requestTimeout), 0);
    }

    private SpymemcachedConnection open() {
        return open(LONG);
    }

    private static ScriptedConnection answered(ScriptedConnection connection) throws IOException {
        return connection.expectLine("version").send("VERSION 1.6.18\r\n");
    }

    @Test
    void hiddenKeysAreInNoMessage() {
        server.onConnection(c -> answered(c).expectLine("get secret").send("VALUE secret 0 1\r\nx\r\nEND\r\n"));
        MemshardOptions hidden = builder(LONG).hideKeys(true).unwrap(MemshardOptions.class);
        try (SpymemcachedConnection connection = SpymemcachedConnection.open(hidden, 0)) {
            assertThatThrownBy(() -> SpymemcachedConnection.await(connection
                            .client()
                            .withTranscoder(Transcoder.counter())
                            .get("secret")))
                    .isInstanceOf(MemcachedDecodingException.class)
                    .hasMessageNotContaining("secret");
            SpymemcachedClient<EncodedValue> hasty = connection.client().withTimeout(Duration.ofMillis(50));
            assertThatThrownBy(() -> SpymemcachedConnection.await(hasty.get("secret")))
                    .isInstanceOf(MemcachedTimeoutException.class)
                    .hasMessageContaining("get (key hidden) on ")
                    .hasMessageNotContaining("secret");
        }
    }

    /** A call that times out before a starved thread has sent it is never sent. */
    @Test
    void lateRepliesAreTimeoutsAndTheConnectionStays() {
        StringBuilder late = new StringBuilder();
        server.onConnection(c -> answered(c).replyTo(line -> {
            if (line.equals("get next")) {
                return late + "VALUE next 7 2\r\nok\r\nEND\r\n";
            }
            String reply =
                    line.startsWith("get") ? "END\r\n" : line.equals("version") ? "VERSION 1\r\n" : "DELETED\r\n";
            late.append(reply);
            return "";
        }));
        try (SpymemcachedConnection connection = open()) {
            SpymemcachedClient<EncodedValue> hasty = connection.client().withTimeout(Duration.ofMillis(50));
            MemcachedTimeoutException timeout = catchThrowableOfType(
                    MemcachedTimeoutException.class, () -> SpymemcachedConnection.await(hasty.get("slow")));
            assertThat(timeout)
                    .hasMessageContaining("no reply within 50 ms")
                    .hasMessageContaining("get \"slow\" on 127.0.0.1:" + server.port() + "[0], ");
            assertThat(timeout.isSafeToRetry()).isEqualTo(timeout.context().phase() == Phase.QUEUED);
            assertThat(hasty.multiGet(List.of("many")).join().failures().get("many"))
                    .isInstanceOf(MemcachedTimeoutException.class);
            assertThat(hasty.multiDelete(List.of("slow")).join().failures().get("slow"))
                    .isInstanceOf(MemcachedTimeoutException.class);
            assertThatThrownBy(() -> connection.version(Duration.ofMillis(50)))
                    .isInstanceOf(MemcachedTimeoutException.class);
            assertThat(connection.get("next").data()).containsExactly('o', 'k');
        }
    }

    @Test
    void aLostConnectionFailsCallsInFlightAndThenEveryCallAtOnce() throws Exception {
        server.onConnection(c -> answered(c).expectLine("get a").cut());
        try (SpymemcachedConnection connection = open()) {
            assertThatThrownBy(() -> connection.get("a")).isInstanceOf(MemcachedConnectionException.class);
            MemcachedConnectionException refused =
                    catchThrowableOfType(MemcachedConnectionException.class, () -> connection.get("b"));
            assertThat(refused.isSafeToRetry()).isTrue();
            assertThat(refused.context().phase()).isEqualTo(Phase.QUEUED);
            assertThat(connection.client().multiGet(List.of("b")).join().failures())
                    .containsOnlyKeys("b");
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
        server.onConnection(
                c -> answered(c).expectLine("set a 0 0 1").expectLine("v").send("BUSY\r\n"));
        server.onConnection(
                c -> answered(c).expectLine("set a 0 0 1").expectLine("v").send("NOT_STORED\r\n"));
        assertFails(MemcachedServerException.class, "SERVER_ERROR out of memory", connection -> connection.get("a"));
        assertFails(MemcachedServerException.class, "ERROR", connection -> connection.get("a"));
        assertFails(MemcachedValueTooLargeException.class, "object too large for cache", SpymemcachedFailureTest::set);
        assertFails(MemcachedServerException.class, "the server answered BUSY", SpymemcachedFailureTest::set);
        for (Consumer<SpymemcachedConnection> set : List.<Consumer<SpymemcachedConnection>>of(
                SpymemcachedFailureTest::set,
                connection -> SpymemcachedConnection.await(
                        connection.client().withTranscoder(Transcoder.utf8()).set("a", "v", TimeToLive.NEVER)))) {
            assertFails(MemcachedServerException.class, "the server did not store the value", set);
        }
    }

    private static void set(SpymemcachedConnection connection) {
        connection.set("a", "v", TimeToLive.NEVER, Transcoder.utf8());
    }

    private void assertFails(
            Class<? extends MemcachedException> type, String words, Consumer<SpymemcachedConnection> command) {
        try (SpymemcachedConnection connection = open()) {
            assertThatThrownBy(() -> command.accept(connection))
                    .isInstanceOf(type)
                    .hasMessageContaining(words)
                    .hasMessageContaining("replied");
        }
    }

    @Test
    void numbersAboveTheSignedRangeAreUnsigned() {
        server.onConnection(c -> answered(c).expectLine("incr a 1").send("18446744073709551615\r\n"));
        try (SpymemcachedConnection connection = open()) {
            assertThat(SpymemcachedConnection.await(connection.client().incr("a", 1)))
                    .hasValue(-1);
        }
    }

    @Test
    void aFullQueueIsAnOverloadUnlessTheClientIsClosed() {
        server.onConnection(c -> answered(c));
        try (SpymemcachedConnection connection = open()) {
            Call call = new Call(connection, "get", "a", LONG);
            assertThatThrownBy(() -> call.submit(spy -> {
                        throw new IllegalStateException("Timed out waiting to add");
                    }))
                    .isInstanceOf(MemcachedOverloadException.class)
                    .hasMessageContaining("queue is full");
            assertThatThrownBy(() -> call.submit(spy -> {
                        spy.shutdown();
                        throw new IllegalStateException("Shutting down");
                    }))
                    .isInstanceOf(MemcachedConnectionException.class);
        }
    }

    @Test
    void timeoutNamesHowFarTheCommandCame() {
        server.onConnection(c -> answered(c));
        try (SpymemcachedConnection connection = open()) {
            Operation operation = connection.operations().version(null);
            assertThat(phaseOfTimeout(connection, operation)).isEqualTo(Phase.QUEUED);
            operation.writing();
            assertThat(phaseOfTimeout(connection, operation)).isEqualTo(Phase.WRITTEN);
        }
    }

    private static Phase phaseOfTimeout(SpymemcachedConnection connection, Operation operation) {
        Call call = new Call(connection, "get", "a", LONG);
        Future<?> late = CompletableFuture.failedFuture(new CheckedOperationTimeoutException("", operation));
        return catchThrowableOfType(MemcachedTimeoutException.class, () -> call.await(late))
                .context()
                .phase();
    }

    @Test
    void closingFailsCallsInFlight() throws Exception {
        server.onConnection(c -> answered(c).expectLine("get a"));
        SpymemcachedConnection connection = open();
        CompletableFuture<EncodedValue> caller = CompletableFuture.supplyAsync(() -> connection.get("a"));
        ScriptedConnection scripted = server.awaitConnection(0, LONG);
        eventually("received", () -> scripted.received().contains("get a"));
        connection.close();
        assertThatThrownBy(() -> caller.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(MemcachedConnectionException.class);
    }

    @Test
    void aServerThatDoesNotAnswerFailsOpening() {
        assertThatThrownBy(() -> open(Duration.ofMillis(100))).isInstanceOf(MemcachedTimeoutException.class);
    }

    @Test
    void anUnknownHostFailsOpening() {
        String unknown = "x".repeat(64) + ".invalid"; // Longer than a label may be, so no name server is asked.
        MemshardOptions options = Memshard.builder().servers(unknown + ":11211").unwrap(MemshardOptions.class);
        assertThatThrownBy(() -> SpymemcachedConnection.open(options, 0))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining(unknown)
                .hasCauseInstanceOf(UnknownHostException.class);
    }
}
