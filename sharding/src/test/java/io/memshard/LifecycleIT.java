// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.options.Transport;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening before the first command, and closing after the last. */
@Timeout(300)
class LifecycleIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final LeakCheck leaks = LeakCheck.start();
    private EmbeddedMemcached memcached;

    @BeforeEach
    void start() {
        memcached = EmbeddedMemcached.start();
    }

    @AfterEach
    void close() {
        memcached.close();
        leaks.assertNothingLeft();
    }

    private MemshardBuilder builder() {
        return builder(memcached.port());
    }

    private static MemshardBuilder builder(int port) {
        return Fleet.patient().servers("127.0.0.1:" + port).ioThreads(1);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void setsInFlightAreStoredBeforeItCloses(Transport transport) {
        Memshard closed = builder().transport(transport).build();
        AsyncMemcachedClient<byte[]> client = closed.asyncClient();
        List<CompletableFuture<Void>> sets = IntStream.range(0, 1_000)
                .mapToObj(i -> client.set("key" + i, new byte[] {1}, Duration.ofMinutes(1)))
                .toList();
        closed.close(LONG);
        assertThat(sets).allMatch(each -> each.isDone() && !each.isCompletedExceptionally());
        try (Memshard other = builder().build()) {
            assertThat(IntStream.range(0, 1_000).filter(i -> other.client().get("key" + i) == null))
                    .isEmpty();
        }
    }

    @Test
    void commandsAreRefusedWhileThoseInFlightEnd() {
        CountDownLatch answers = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start()
                        .onConnection(connection -> connection.greet().replyTo(line -> {
                            if (line.equals("mn")) {
                                return "MN\r\n";
                            }
                            return passed(answers) ? "EN\r\n" : "";
                        }));
                Memshard memshard =
                        builder(server.port()).connectionsPerServer(1).build()) {
            CompletableFuture<byte[]> inFlight = memshard.asyncClient().get("a");
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> memshard.close(LONG));
            eventually("refused", () -> memshard.asyncClient().get("b").isCompletedExceptionally());
            assertThatThrownBy(() -> memshard.client().get("c"))
                    .isInstanceOf(MemcachedConnectionException.class)
                    .hasMessageContaining("the connection was closed by this client");
            assertThat(inFlight).isNotDone();
            assertThat(closing).isNotDone();
            answers.countDown();
            closing.get(LONG.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(inFlight.get()).isNull();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean passed(CountDownLatch latch) {
        try {
            return latch.await(LONG.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void commandsInFlightAfterTheTimeoutFail() {
        // A connection may be closed before it has sent anything, because others are opened beside that of the get.
        try (ScriptedServer server = ScriptedServer.start()
                .onConnection(connection -> connection.greet().replyTo(line -> line.equals("mn") ? "MN\r\n" : ""))) {
            Memshard memshard = builder(server.port()).build();
            CompletableFuture<byte[]> unanswered = memshard.asyncClient().get("a");
            memshard.close(SHORT);
            assertThat(unanswered).isCompletedExceptionally();
        }
    }

    @Test
    void eachSocketIsOpenedAtOnceIfItConnectsEagerly() {
        try (ScriptedServer server = ScriptedServer.start()
                        .onConnection(connection -> connection.greet().replyTo(line -> "MN\r\n"));
                Memshard memshard = builder(server.port()).connectEagerly().build()) {
            eventually("both sockets of the first connection", () -> server.connections() >= 2);
            memshard.awaitReady(LONG);
        }
    }

    @Test
    void connectionsThatAreNotReadyInTimeAreNamed() {
        try (ClosedPort closed = new ClosedPort();
                Memshard memshard =
                        builder(closed.port()).connectionsPerServer(1).build()) {
            eventually("both sockets have been refused", () -> {
                String message = catchThrowableOfType(
                                MemcachedConnectionException.class, () -> memshard.awaitReady(SHORT))
                        .getMessage();
                assertThat(message)
                        .startsWith("2 of 2 sockets are not ready after 100 ms: 127.0.0.1:" + closed.port() + "[0]");
                return message.contains("refused");
            });
        }
    }
}
