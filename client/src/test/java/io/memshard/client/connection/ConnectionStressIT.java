// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.sender.Reply;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Races the hand-overs of a connection against each other, many times over.
 *
 * <p>A lost wake-up shows as a call that ends with a timeout although the server answers, since each call
 * that is not meant to time out has a minute. How often each race is run is the system property
 * {@code memshard.stress.races}.
 */
@MemcachedTest
@EachTransport
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConnectionStressIT extends ConnectionFixture {

    private static final int RACES = Integer.getInteger("memshard.stress.races", 200);

    private final MemcachedServer server;
    private final ServerAddress address;
    private final Random random = new Random(42);

    ConnectionStressIT(Transport transport, MemcachedServer server) {
        super(transport, Protocol.AUTO);
        this.server = server;
        address = new ServerAddress(server.host(), server.port());
    }

    /** The key is stored, and the link is there. */
    private static Connection stored(Connection connection) {
        assertThat(connection.call(set("stress", "value"), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        return connection;
    }

    private static void gets(Connection connection) {
        assertThat(connection.call(get("stress"), LONG_NANOS)).isEqualTo("value");
    }

    /** A caller that began to wait before there was a link is the one to read, once there is one. */
    @Test
    void waitingAgainstTheLinkThatComes() {
        ConnectionGroup group = group();
        stored(connect(group, address));
        for (int i = 0; i < RACES / 4; i++) {
            try (Connection connection = connect(group, address)) {
                Reply<String> first = connection.send(get("stress"));
                Reply<String> second = connection.send(get("stress"));
                LockSupport.parkNanos(random.nextInt(1_000_000));
                assertThat(first.await(LONG_NANOS)).isEqualTo("value");
                assertThat(second.await(LONG_NANOS)).isEqualTo("value");
            }
        }
    }

    /** Runs {@code racers} together, {@link #RACES} times, each time from a common start. Nothing is in flight then. */
    private static void race(Connection connection, Runnable... racers) throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(racers.length);
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
        connection.call(new MetaNoop(), LONG_NANOS);
        eventually("none in flight", () -> connection.inFlight() == 0);
    }

    private void spin() {
        for (int i = random.nextInt(2_000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    @Test
    void commandsSentWhileTheReaderLeavesAreAnswered() throws InterruptedException {
        Connection connection = stored(connect(server));
        Runnable caller = () -> {
            spin();
            gets(connection);
        };
        Runnable sender = () -> {
            Reply<String> reply = connection.send(get("stress"));
            spin();
            assertThat(reply.await(LONG_NANOS)).isEqualTo("value");
        };
        Runnable asynchronous = () -> {
            spin();
            assertThat(future(connection, get("stress")).join()).isEqualTo("value");
        };
        race(connection, caller, caller, caller);
        race(connection, sender, caller, caller);
        race(connection, asynchronous, caller, caller);
    }

    @Test
    void aCallerThatTimesOutLeavesNobodyWaiting() throws InterruptedException {
        Connection connection = stored(connect(server));
        Runnable impatient = () -> {
            try {
                connection.call(get("stress"), random.nextInt(100_000));
            } catch (MemcachedTimeoutException e) {
                // As it was meant to, half of the time.
            }
        };
        Runnable patient = () -> {
            spin();
            gets(connection);
        };
        race(connection, impatient, impatient, patient, patient);
    }

    @Test
    void aCallerThatIsInterruptedLeavesNobodyWaiting() throws InterruptedException {
        Connection connection = stored(connect(server));
        AtomicReference<@Nullable Thread> target = new AtomicReference<>();
        Runnable interrupted = () -> {
            target.set(Thread.currentThread());
            try {
                gets(connection);
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
        Runnable patient = () -> gets(connection);
        race(connection, interrupted, interrupter, patient);
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }
}
