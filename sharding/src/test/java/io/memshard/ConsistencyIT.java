// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sentences of {@code docs/consistency.md} about one server, each as a test. */
@MemcachedTest
@Timeout(300)
class ConsistencyIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(60);

    /** As long as a write waits for a server that answers nothing. */
    private static final Duration SHORT = Duration.ofMillis(300);

    private static final int WRITERS = 4;
    private static final int WRITES = 200;

    private final LeakCheck leaks = LeakCheck.start();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private InetSocketAddress server;
    private FaultProxy proxy;

    @BeforeEach
    void start(MemcachedServer memcached) throws IOException {
        server = memcached.address();
        proxy = new FaultProxy(server);
    }

    @AfterEach
    void close() throws Exception {
        proxy.close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(LONG.toNanos(), TimeUnit.NANOSECONDS))
                .isTrue();
        leaks.assertNothingLeft();
    }

    private static MemshardBuilder builder(InetSocketAddress address) {
        return Fleet.patient()
                .servers(address.getHostString() + ":" + address.getPort())
                .ioThreads(1);
    }

    private static MemcachedClient<String> client(Memshard memshard) {
        return memshard.client(Transcoder.utf8());
    }

    private static void await(List<? extends Future<?>> tasks) throws Exception {
        for (Future<?> task : tasks) {
            task.get(LONG.toNanos() * 2, TimeUnit.NANOSECONDS);
        }
    }

    static Stream<ConnectionChooser> choosers() {
        return Stream.of(
                ConnectionChooser.stickyRoundRobin(),
                ConnectionChooser.roundRobin(),
                ConnectionChooser.leastInFlight());
    }

    @ParameterizedTest
    @MethodSource("choosers")
    void anAcknowledgedWriteIsReadByEveryThreadOverEveryConnection(ConnectionChooser chooser) throws Exception {
        AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
        try (Memshard memshard =
                builder(server).connectionsPerServer(4).chooser(chooser).build()) {
            MemcachedClient<String> client = client(memshard);
            AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
            List<Future<?>> tasks = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                tasks.add(threads.submit(() -> {
                    for (int value = 1; value <= WRITES; value++) {
                        client.set("read:" + writer, "" + value, HOUR);
                        acknowledged.set(writer, value);
                        assertThat(client.get("read:" + writer)).isEqualTo("" + value);
                    }
                }));
                tasks.add(threads.submit(() -> {
                    while (acknowledged.get(writer) < WRITES) {
                        int least = acknowledged.get(writer);
                        if (least > 0) {
                            List<String> key = List.of("read:" + writer);
                            List<String> read = List.of(
                                    client.get(key.get(0)),
                                    client.multiGet(key).hits().get(key.get(0)),
                                    async.get(key.get(0)).join());
                            assertThat(read).allMatch(value -> Integer.parseInt(value) >= least);
                        }
                    }
                }));
            }
            await(tasks);
        }
    }

    @Test
    void asynchronousCommandsOfAThreadAreExecutedInOrder() throws Exception {
        try (Memshard memshard = builder(server).connectionsPerServer(4).build()) {
            AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
            await(IntStream.range(0, WRITERS)
                    .mapToObj(writer -> threads.submit(() -> {
                        for (int round = 0; round < WRITES / 20; round++) {
                            List<CompletableFuture<String>> read = new ArrayList<>();
                            for (int i = 0; i < 20; i++) {
                                async.set("order:" + writer, round + "." + i, HOUR);
                                read.add(async.get("order:" + writer));
                            }
                            for (int i = 0; i < 20; i++) {
                                assertThat(read.get(i).join()).isEqualTo(round + "." + i);
                            }
                        }
                    }))
                    .toList());
        }
    }

    /** Holds back each request that comes to the proxy, until it is released. */
    private final class Held {

        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        Held() {
            proxy.hangUp((connection, portion) -> {
                arrived.countDown();
                return !passed(released);
            });
        }

        void release() {
            released.countDown();
        }
    }

    private static boolean passed(CountDownLatch latch) {
        try {
            return latch.await(LONG.toNanos() * 2, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** A write that times out on its way to the server, where nobody knows whether it will be executed. */
    private Held late(ThrowingCallable write) {
        Held held = new Held();
        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(write)
                .satisfies(e -> assertThat(e.isSafeToRetry()).isFalse());
        return held;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWriteThatTimedOutMayUndoALaterOneThatWasAcknowledged(boolean isDelete) {
        try (Memshard late = builder(proxy.address()).build();
                Memshard other = builder(server).build()) {
            client(late).set("late", "old", HOUR);
            Held first = late(() -> client(late).withTimeout(SHORT).set("late", "first", HOUR));
            if (isDelete) {
                assertThat(client(other).delete("late")).isTrue();
            } else {
                client(other).set("late", "second", HOUR);
            }
            assertThat(client(other).get("late")).isEqualTo(isDelete ? null : "second");
            first.release();
            eventually(
                    "the first write has come",
                    () -> "first".equals(client(other).get("late")));
        }
    }

    @Test
    void aCasThatTimedOutNeverUndoesALaterWrite() {
        try (Memshard late = builder(proxy.address()).build();
                Memshard other = builder(server).build()) {
            client(late).set("cas", "old", HOUR);
            long unique = client(late).gets("cas").casUnique();
            Held first = late(() -> client(late).withTimeout(SHORT).cas("cas", "first", unique, HOUR));
            assertThat(client(other).cas("cas", "second", unique, HOUR)).isEqualTo(WriteStatus.DONE);
            first.release();
            assertThat(client(late).get("cas"))
                    .as("read behind the late cas, over its connection")
                    .isEqualTo("second");
        }
    }

    @Test
    void aThreadRepeatsAWriteBehindItsOwnThatTimedOut() throws Exception {
        try (Memshard memshard =
                builder(proxy.address()).connectionsPerServer(4).build()) {
            MemcachedClient<String> client = client(memshard);
            client.set("again", "old", HOUR);
            Held first = late(() -> client.withTimeout(SHORT).set("again", "first", HOUR));
            Future<?> release = threads.submit(first::release);
            client.set("again", "second", HOUR);
            release.get(LONG.toNanos(), TimeUnit.NANOSECONDS);
            assertThat(client.get("again")).isEqualTo("second");
        }
    }

    @Test
    void anInterruptedWriteMayBeExecutedLater() {
        try (Memshard memshard = builder(proxy.address()).build();
                Memshard other = builder(server).build()) {
            client(memshard).set("interrupted", "old", HOUR);
            Held held = new Held();
            Thread caller = Thread.currentThread();
            threads.execute(() -> {
                if (passed(held.arrived)) {
                    caller.interrupt();
                }
            });
            assertThatExceptionOfType(MemcachedInterruptedException.class)
                    .isThrownBy(() -> client(memshard).set("interrupted", "new", HOUR))
                    .satisfies(e -> assertThat(e.isSafeToRetry()).isFalse());
            assertThat(Thread.interrupted()).as("the flag is set again").isTrue();
            assertThat(client(other).get("interrupted")).isEqualTo("old");
            held.release();
            eventually("the write has come", () -> "new".equals(client(other).get("interrupted")));
        }
    }

    @Test
    void aWriteInFlightAtCloseFailsAndMayBeExecutedLater() {
        try (Memshard other = builder(server).build()) {
            Memshard closed = builder(proxy.address()).build();
            AsyncMemcachedClient<String> async = closed.asyncClient(Transcoder.utf8());
            async.set("closed", "old", HOUR).join();
            Held held = new Held();
            CompletableFuture<Void> inFlight = async.set("closed", "new", HOUR);
            assertThat(passed(held.arrived)).isTrue();
            closed.close(Duration.ZERO);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(inFlight::join)
                    .havingCause()
                    .isInstanceOf(MemcachedConnectionException.class)
                    .matches(e -> !((MemcachedException) e).isSafeToRetry());
            assertThat(client(other).get("closed")).isEqualTo("old");
            held.release();
            eventually("the write has come", () -> "new".equals(client(other).get("closed")));
        }
    }

    @Test
    void aWriteThatNeverLeftTheClientIsNeverExecuted() {
        proxy.refuse(true);
        try (Memshard memshard = builder(proxy.address()).build();
                Memshard other = builder(server).build()) {
            client(other).set("unsent", "old", HOUR);
            assertThatExceptionOfType(MemcachedException.class)
                    .isThrownBy(() -> client(memshard).withTimeout(SHORT).set("unsent", "new", HOUR))
                    .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
            proxy.refuse(false);
            memshard.awaitReady(LONG);
            assertThat(client(memshard).get("unsent")).isEqualTo("old");
        }
    }
}
