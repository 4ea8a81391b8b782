// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.sender.Reply;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Races the hand-overs of a connection against each other, many times over.
 *
 * <p>A lost wake-up shows as a call that ends with a timeout although the server answers, since each call
 * that is not meant to time out has {@link #PATIENCE_NANOS}. How often each race is run is the system property
 * {@code memshard.stress.races}.
 */
@MemcachedTest
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConnectionStressIT {

    private static final int RACES = Integer.getInteger("memshard.stress.races", 200);

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final byte[] VALUE = "value".getBytes(StandardCharsets.US_ASCII);

    private final MemcachedServer server;
    private final Random random = new Random(42);

    private LeakCheck leaks;
    private ConnectionGroup group;

    ConnectionStressIT(MemcachedServer server) {
        this.server = server;
    }

    @BeforeEach
    void openGroup() {
        leaks = LeakCheck.start();
        // Sockets are lost much more often here than a second goes by.
        ConnectionOptions options = ConnectionOptions.builder()
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .build();
        group = new ConnectionGroup(options, 1);
    }

    @AfterEach
    void closeGroup() {
        group.close();
        leaks.assertNothingLeft();
    }

    private Connection connection(Transport transport) {
        Connection connection = group.newConnection(new ServerAddress(server.host(), server.port()), 0, transport);
        store(connection);
        return connection;
    }

    private static void store(Connection connection) {
        connection.call(
                new MetaSet<>(
                        "stress", MetaSet.Mode.SET, new MetaSet.Item(VALUE, 0, 0), MetaSet.ANY_CAS, status -> true),
                PATIENCE_NANOS);
    }

    private static Command<byte @Nullable []> get() {
        return new MetaGet<>("stress", MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data);
    }

    /** A caller that began to wait before there was a link is the one to read, once there is one. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void waitingAgainstTheLinkThatComes(Transport transport) {
        ServerAddress address = new ServerAddress(server.host(), server.port());
        store(connection(transport));
        for (int i = 0; i < RACES / 4; i++) {
            try (Connection connection = group.newConnection(address, 0, transport)) {
                Reply<byte @Nullable []> first = connection.send(get());
                Reply<byte @Nullable []> second = connection.send(get());
                LockSupport.parkNanos(random.nextInt(1_000_000));
                assertThat(first.await(PATIENCE_NANOS)).isEqualTo(VALUE);
                assertThat(second.await(PATIENCE_NANOS)).isEqualTo(VALUE);
            }
        }
    }

    /** Runs {@code racers} together, {@link #RACES} times, each time from a common start. */
    private static void race(List<Runnable> racers) throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(racers.size());
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (Runnable racer : racers) {
            threads.add(new Thread(() -> {
                try {
                    for (int i = 0; i < RACES; i++) {
                        start.await(2, TimeUnit.MINUTES);
                        racer.run();
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                    start.reset();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            fail("a racer failed", failure.get());
        }
    }

    private void spin() {
        for (int i = random.nextInt(2_000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void anOfferAtTheEndOfADrainIsWritten(Transport transport) throws InterruptedException {
        Connection connection = connection(transport);
        Runnable caller = () -> {
            spin();
            assertThat(connection.call(get(), PATIENCE_NANOS)).isEqualTo(VALUE);
        };
        race(List.of(caller, caller, caller));
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void aWaiterThatComesWhileTheReaderLeavesIsServed(Transport transport) throws InterruptedException {
        Connection connection = connection(transport);
        Runnable sender = () -> {
            Reply<byte @Nullable []> reply = connection.send(get());
            spin();
            assertThat(reply.await(PATIENCE_NANOS)).isEqualTo(VALUE);
        };
        Runnable caller = () -> {
            for (int i = 0; i < 3; i++) {
                assertThat(connection.call(get(), PATIENCE_NANOS)).isEqualTo(VALUE);
            }
        };
        race(List.of(sender, caller, caller));
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void aFutureThatIsSentWhileTheReaderLeavesIsCompleted(Transport transport) throws InterruptedException {
        Connection connection = connection(transport);
        Runnable asynchronous = () -> {
            spin();
            CompletableFuture<byte @Nullable []> future =
                    connection.send(get()).toFuture(Duration.ofNanos(PATIENCE_NANOS));
            assertThat(future.join()).isEqualTo(VALUE);
        };
        Runnable caller =
                () -> assertThat(connection.call(get(), PATIENCE_NANOS)).isEqualTo(VALUE);
        race(List.of(asynchronous, caller, caller));
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void aCallerThatTimesOutLeavesNobodyWaiting(Transport transport) throws InterruptedException {
        Connection connection = connection(transport);
        Runnable impatient = () -> {
            try {
                connection.call(get(), random.nextInt(100_000));
            } catch (MemcachedTimeoutException e) {
                // As it was meant to, half of the time.
            }
        };
        Runnable patient = () -> {
            spin();
            assertThat(connection.call(get(), PATIENCE_NANOS)).isEqualTo(VALUE);
        };
        race(List.of(impatient, impatient, patient, patient));
        connection.call(new MetaNoop(), PATIENCE_NANOS);
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void aCallerThatIsInterruptedLeavesNobodyWaiting(Transport transport) throws InterruptedException {
        Connection connection = connection(transport);
        AtomicReference<@Nullable Thread> target = new AtomicReference<>();
        Runnable interrupted = () -> {
            target.set(Thread.currentThread());
            try {
                assertThat(connection.call(get(), PATIENCE_NANOS)).isEqualTo(VALUE);
            } catch (MemcachedInterruptedException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
            // The interrupter is done with this round before the flag is cleared for the next.
            while (target.get() != null) {
                Thread.yield();
            }
            Thread.interrupted();
        };
        Runnable interrupter = () -> {
            spin();
            Thread thread = target.get();
            while (thread == null) {
                Thread.yield();
                thread = target.get();
            }
            thread.interrupt();
            target.set(null);
        };
        Runnable patient =
                () -> assertThat(connection.call(get(), PATIENCE_NANOS)).isEqualTo(VALUE);
        race(List.of(interrupted, interrupter, patient));
        connection.call(new MetaNoop(), PATIENCE_NANOS);
        eventually("none in flight", () -> connection.inFlight() == 0);
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void closingEndsEveryCallAtOnce(Transport transport) throws Exception {
        for (int i = 0; i < RACES / 40; i++) {
            try (ConnectionGroup closing = new ConnectionGroup(ConnectionOptions.DEFAULTS, 1)) {
                Connection connection =
                        closing.newConnection(new ServerAddress(server.host(), server.port()), 0, transport);
                store(connection);
                AtomicBoolean wrong = new AtomicBoolean();
                List<Thread> callers = new ArrayList<>();
                for (int t = 0; t < 8; t++) {
                    boolean asynchronous = t % 4 == 3;
                    callers.add(new Thread(() -> {
                        try {
                            while (true) {
                                if (asynchronous) {
                                    connection
                                            .send(get())
                                            .toFuture(Duration.ofNanos(PATIENCE_NANOS))
                                            .get();
                                } else {
                                    connection.call(get(), PATIENCE_NANOS);
                                }
                            }
                        } catch (MemcachedConnectionException e) {
                            // What closing ends a call with.
                        } catch (Exception e) {
                            if (!(e.getCause() instanceof MemcachedConnectionException)) {
                                wrong.set(true);
                            }
                        }
                    }));
                }
                callers.forEach(Thread::start);
                Thread.sleep(random.nextInt(20)); // Closed in another moment each time.
                connection.close();
                for (Thread caller : callers) {
                    caller.join();
                }
                assertThat(wrong).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void aLostSocketEndsEveryCallAtOnceAndIsReplaced(Transport transport) throws Exception {
        try (FaultProxy proxy = new FaultProxy(server.address())) {
            Connection connection = group.newConnection(
                    new ServerAddress("127.0.0.1", proxy.address().getPort()), 0, transport);
            store(connection);
            for (int i = 0; i < RACES / 20; i++) {
                List<Thread> callers = new ArrayList<>();
                AtomicBoolean lost = new AtomicBoolean();
                AtomicBoolean wrong = new AtomicBoolean();
                for (int t = 0; t < 8; t++) {
                    callers.add(new Thread(() -> {
                        try {
                            while (!lost.get()) {
                                connection.call(get(), PATIENCE_NANOS);
                            }
                        } catch (MemcachedConnectionException e) {
                            // What a lost socket ends a call with, unless it had answered all calls.
                        } catch (MemcachedException e) {
                            wrong.set(true);
                        }
                    }));
                }
                callers.forEach(Thread::start);
                Thread.sleep(random.nextInt(10)); // Lost in another moment each time.
                if (i % 2 == 0) {
                    proxy.cutAll();
                } else {
                    proxy.resetAll();
                }
                lost.set(true);
                for (Thread caller : callers) {
                    caller.join();
                }
                assertThat(wrong).isFalse();
                callUntilItWorks(connection);
            }
        }
    }

    private static void callUntilItWorks(Connection connection) {
        eventually("works", () -> {
            try {
                assertThat(connection.call(get(), PATIENCE_NANOS)).isEqualTo(VALUE);
                return true;
            } catch (MemcachedException e) {
                return false;
            }
        });
    }
}
