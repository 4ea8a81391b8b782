// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.LeakCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DiscoveryTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofMillis(10);

    private final RecordedLog log = new RecordedLog();
    private final FakeSource source = new FakeSource();
    private final List<List<Server>> told = new CopyOnWriteArrayList<>();
    private LeakCheck leaks;

    @BeforeEach
    void takeSnapshot() {
        leaks = LeakCheck.start();
    }

    @AfterEach
    void nothingIsLeft() {
        leaks.assertNothingLeft();
    }

    /** Answers what the test sets. */
    private static final class FakeSource implements ServerSource {

        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private volatile Look look = () -> List.of(Server.parse("a"), Server.parse("b"));
        private volatile Duration period = Duration.ofMillis(5);

        interface Look {
            List<Server> servers() throws IOException, InterruptedException;
        }

        void answers(String... texts) {
            List<Server> servers = serversOf(texts);
            look = () -> servers;
        }

        void fails(Exception failure) {
            look = () -> {
                if (failure instanceof IOException io) {
                    throw io;
                }
                throw (RuntimeException) failure;
            };
        }

        /** Waits until looks that begin now have ended. */
        void awaitLooks(int count) {
            int before = looks.get();
            eventually("looks", () -> looks.get() >= before + count + 1);
        }

        @Override
        public List<Server> servers(Duration timeout) throws IOException, InterruptedException {
            looks.incrementAndGet();
            return look.servers();
        }

        @Override
        public Duration period() {
            return period;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }

        @Override
        public String toString() {
            return "fake";
        }
    }

    private static List<Server> serversOf(String... texts) {
        return Stream.of(texts).map(Server::parse).toList();
    }

    private Discovery discovery() {
        return discovery(SETTLE);
    }

    private Discovery discovery(Duration settleTime) {
        return new Discovery(source, source.period, settleTime, LONG, log.logger());
    }

    @Test
    void theFirstListIsAvailableBeforeAnyChange() {
        try (Discovery discovery = discovery()) {
            assertThat(source.looks).hasValue(0);

            assertThat(discovery.awaitServers(LONG)).isEqualTo(serversOf("a", "b"));
            assertThat(discovery.awaitServers(LONG)).isEqualTo(serversOf("a", "b"));
            assertThat(discovery).hasToString("fake, 2 servers");
        }
        assertThat(source.closed).hasValue(1);
    }

    @Test
    void aListenerGetsEachListOnTheDiscoveryThread() {
        List<String> threads = new CopyOnWriteArrayList<>();
        try (Discovery discovery = discovery()) {
            discovery.onChange(servers -> {
                threads.add(Thread.currentThread().getName());
                told.add(servers);
            });
            eventually("first", () -> told.size() == 1);
            source.answers("a", "b", "c");
            eventually("second", () -> told.size() == 2);
            source.answers("c");
            eventually("third", () -> told.size() == 3);

            assertThat(told).containsExactly(serversOf("a", "b"), serversOf("a", "b", "c"), serversOf("c"));
            assertThat(threads).containsOnly("memshard-discovery");
        }
    }

    @Test
    void aLaterListenerReplacesTheFirstAndGetsTheCurrentList() {
        source.period = LONG;
        try (Discovery discovery = discovery()) {
            discovery.onChange(told::add);
            eventually("told", () -> told.size() == 1);
            List<List<Server>> toldLater = new CopyOnWriteArrayList<>();
            discovery.onChange(toldLater::add);
            eventually("told", () -> toldLater.size() == 1);
            assertThat(told).hasSize(1);
        }
    }

    @Test
    void aListenerThatFailsEndsNothing() {
        try (Discovery discovery = discovery()) {
            discovery.onChange(servers -> {
                told.add(servers);
                throw new IllegalStateException("of the listener");
            });
            eventually("first", () -> told.size() == 1);
            source.answers("c");
            eventually("second", () -> told.size() == 2);
            // The failure reaches the log after the listener was told.
            eventually("logged", () -> log.at("error").size() == 2);
            assertThat(log.at("error")).allMatch(line -> line.contains("the listener of onChange(...) failed for"));
        }
    }

    @Test
    void aFailureAndTheRecoveryOfASourceAreReportedOnce() {
        try (Discovery discovery = discovery()) {
            discovery.onChange(told::add);
            assertThat(discovery.awaitServers(LONG)).hasSize(2);
            source.fails(new IOException("no answer"));
            source.awaitLooks(3);

            assertThat(discovery.awaitServers(LONG)).isEqualTo(serversOf("a", "b"));
            assertThat(log.at("warn"))
                    .singleElement()
                    .isEqualTo("fake: no answer; the list of 2 servers stays in force");

            source.answers("a", "b");
            eventually("recovers", () -> log.at("info").stream().anyMatch(line -> line.contains("answers again")));
            source.fails(new IOException("no answer"));
            eventually("told anew", () -> log.at("warn").size() == 2);
            assertThat(told).hasSize(1);
        }
    }

    @Test
    void anEmptyListAndOneThatMakesNoSenseAreFailuresToo() {
        List<FakeSource.Look> senseless = List.of(
                List::of,
                () -> null,
                () -> Collections.singletonList(null),
                () -> {
                    throw new IllegalArgumentException("bad\u001b[31m\nentry");
                },
                () -> {
                    throw new AssertionError("an error");
                },
                () -> IntStream.range(1, 20_000)
                        .mapToObj(port -> Server.of(new ServerAddress("a", port)))
                        .toList());
        try (Discovery discovery = discovery()) {
            discovery.awaitServers(LONG);
            for (FakeSource.Look look : senseless) {
                source.look = look;
                source.awaitLooks(2);
                assertThat(discovery.awaitServers(LONG)).hasSize(2);
            }
            // One for each kind: IOException, NullPointerException, IllegalArgumentException.
            assertThat(log.at("warn")).hasSize(3).noneMatch(line -> line.contains("\u001b"));
            assertThat(log.at("error")).singleElement().asString().contains("an error");
        }
    }

    @Test
    void duplicatesOfANameOrAnAddressAreLeftOut() {
        source.answers("a=10.0.0.1:1", "a=10.0.0.2:1", "b=10.0.0.1:1", "c:1", "c:1", "c:2");
        try (Discovery discovery = discovery()) {
            assertThat(discovery.awaitServers(LONG)).isEqualTo(serversOf("a=10.0.0.1:1", "c:1", "c:2"));
        }
    }

    @Test
    void missingFirstListNamesTheReasonAndPollingContinues() {
        source.fails(new IOException("nobody there"));
        try (Discovery discovery = discovery()) {
            discovery.onChange(told::add);
            source.awaitLooks(2);
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> discovery.awaitServers(Duration.ofMillis(1)))
                    .withMessageContaining("fake: no servers were found within 1 ms: nobody there")
                    .withCauseInstanceOf(IOException.class);
            assertThat(log.at("warn")).singleElement().asString().endsWith("no servers are known yet");
            source.answers("a");
            assertThat(discovery.awaitServers(LONG)).hasSize(1);
        }
    }

    @Test
    void anInterruptEndsTheWaitForTheFirstList() {
        source.fails(new IOException("nobody there"));
        try (Discovery discovery = discovery()) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(MemcachedInterruptedException.class)
                    .isThrownBy(() -> discovery.awaitServers(LONG));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aFlappingNameIsHeldBackAndReportedOnce() {
        List<Server> all = serversOf("a", "b");
        List<Server> one = serversOf("a");
        AtomicInteger turn = new AtomicInteger();
        source.look = () -> turn.incrementAndGet() % 2 == 1 ? all : one;
        try (Discovery discovery = discovery(LONG)) {
            discovery.onChange(told::add);
            eventually("warned", () -> !log.at("warn").isEmpty());
            source.awaitLooks(2);

            assertThat(told).containsExactly(all);
            assertThat(log.at("warn"))
                    .singleElement()
                    .asString()
                    .contains("keeps changing", "the earlier list of 2 servers stays");
        }
    }

    @Test
    void refreshingPollsEarlyButNotMoreOftenThanAllowed() {
        source.period = Duration.ofSeconds(20);
        try (Discovery discovery = discovery(Duration.ZERO)) {
            long begun = System.nanoTime();
            discovery.awaitServers(LONG);
            source.answers("c");
            // By the period, it would come after 20 seconds.
            eventually("second look", Duration.ofSeconds(15), () -> {
                discovery.refreshNow();
                return discovery.awaitServers(LONG).size() == 1;
            });
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void closingEndsALookupAndTheThread() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        source.look = () -> {
            looking.countDown();
            try {
                Thread.sleep(60_000); // Until it is interrupted.
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
            return List.of();
        };
        Discovery discovery = discovery();
        discovery.onChange(told::add);
        looking.await();
        discovery.close();
        discovery.close();
        discovery.refreshNow();

        eventually("closed", () -> source.closed.get() == 1);
        assertThat(interrupted).isTrue();
        assertThat(log.at("warn")).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> discovery.awaitServers(LONG));
        assertThatIllegalStateException().isThrownBy(() -> discovery.onChange(told::add));
    }

    @Test
    void closingEndsTheWaitForTheFirstList() throws Exception {
        source.fails(new IOException("nobody there"));
        Discovery discovery = discovery();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Thread waiting = new Thread(() -> {
            try {
                discovery.awaitServers(LONG);
            } catch (IllegalStateException e) {
                failures.add(e);
            }
        });
        waiting.start();
        source.awaitLooks(1);
        discovery.close();
        waiting.join(LONG.toMillis());
        assertThat(failures).hasSize(1);
    }

    @Test
    void closingBeforeTheStartClosesTheSourceOnce() {
        Discovery discovery = discovery();
        discovery.close();
        discovery.close();
        assertThat(source.closed).hasValue(1);
    }

    @Test
    void closingInterruptsAListenerAndDoesNotWaitForIt() throws Exception {
        Discovery discovery = discovery();
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        discovery.onChange(servers -> {
            telling.countDown();
            try {
                Thread.sleep(60_000); // Until it is interrupted.
            } catch (InterruptedException e) {
                awaitUninterruptibly(closed);
            }
        });
        telling.await();
        long begun = System.nanoTime();
        discovery.close();
        Duration taken = Duration.ofNanos(System.nanoTime() - begun);
        assertThat(taken).isLessThan(Duration.ofSeconds(5)); // It waits so long, or not at all.
        closed.countDown();
        eventually("closed", () -> source.closed.get() == 1);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted twice", e);
        }
    }

    @Test
    void theListenerMayCloseIt() {
        Discovery discovery = discovery();
        AtomicBoolean interrupted = new AtomicBoolean();
        discovery.onChange(servers -> {
            discovery.close();
            interrupted.set(Thread.currentThread().isInterrupted());
            told.add(servers);
        });
        eventually("closed", () -> source.closed.get() == 1);
        assertThat(told).hasSize(1);
        assertThat(interrupted).isFalse();
    }

    @Test
    void aLambdaIsNamedAfterItsClassWhichIsTheSameInEachRun() {
        try (Discovery discovery = new Discovery(timeout -> serversOf("a", "b"))) {
            assertThat(discovery.awaitServers(LONG)).isEqualTo(serversOf("a", "b"));
            assertThat(discovery).hasToString(DiscoveryTest.class.getName() + ", 2 servers");
        }
    }

    @Test
    void timesThatCannotWorkAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Discovery(source, LONG, Duration.ofSeconds(-1), LONG))
                .withMessageContaining("settleTime is PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Discovery(source, LONG, SETTLE, Duration.ZERO))
                .withMessageContaining("lookTimeout is PT0S");
        source.period = Duration.ZERO;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Discovery(source))
                .withMessageContaining("period of fake is PT0S");
    }
}
