// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots of commands in flight are given back whatever becomes of the commands. */
@EachTransport
@Timeout(120)
class InFlightIT extends ConnectionFixture {

    private static final int THREADS = 6;
    private static final int COMMANDS = 100;
    private static final int MAX_IN_FLIGHT = 16;

    InFlightIT(Transport transport) {
        super(transport, Protocol.META);
    }

    /** Replies at random: at once, late, together with later ones, wrongly, or by hanging up. */
    private static void misbehave(ScriptedConnection connection, long seed) {
        Random random = new Random(seed);
        StringBuilder withheld = new StringBuilder();
        connection.replyTo(line -> {
            if (line.equals("mn")) {
                return replyTo(line);
            }
            withheld.append(replyTo(line));
            int dice = random.nextInt(400);
            if (dice == 0) {
                connection.cut();
            } else if (dice == 1) {
                withheld.append("garbage\r\n");
            } else if (dice < 10) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(10)));
            } else if (dice < 100) {
                // Withheld until the next request, or until the liveness timeout if none comes.
                return "";
            }
            String reply = withheld.toString();
            withheld.setLength(0);
            return reply;
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noCommandStaysInFlightAfterAnyFault(long seed) throws Exception {
        settings.maxInFlight = MAX_IN_FLIGHT;
        settings.livenessTimeout = BRIEF;
        ScriptedServer server = scriptedServer().onConnection(c -> misbehave(c, seed * 1_000 + c.index()));
        Connection connection = connect(server);
        AtomicInteger right = new AtomicInteger();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            long threadSeed = seed * 100 + t;
            FutureTask<Void> task = new FutureTask<>(() -> {
                sendAtRandom(connection, new Random(threadSeed), right);
                return null;
            });
            tasks.add(task);
            threads.add(new Thread(task, "caller-" + t));
        }
        threads.forEach(Thread::start);
        Random random = new Random(seed);
        while (threads.stream().anyMatch(Thread::isAlive)) {
            threads.get(random.nextInt(THREADS)).interrupt();
            Thread.sleep(5); // Most calls are to be left in peace.
        }
        for (FutureTask<Void> task : tasks) {
            task.get();
        }

        eventually("nothing in flight", () -> connection.inFlight() == 0);
        List<CompletableFuture<String>> all = new ArrayList<>();
        eventually("every slot usable", () -> {
            all.clear();
            for (int i = 0; i < MAX_IN_FLIGHT; i++) {
                all.add(future(connection, get("k" + i)));
            }
            return all.stream().noneMatch(InFlightIT::failedByOverload);
        });
    }

    private static boolean failedByOverload(CompletableFuture<?> future) {
        try {
            future.join();
            return false;
        } catch (CompletionException e) {
            return e.getCause() instanceof MemcachedOverloadException;
        }
    }

    private static void sendAtRandom(Connection connection, Random random, AtomicInteger right) {
        for (int i = 0; i < COMMANDS || right.get() == 0; i++) {
            String key = "k" + random.nextInt(1_000);
            Duration timeout = Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(20) : 1_000);
            try {
                String value = random.nextBoolean()
                        ? connection.call(get(key), timeout.toNanos())
                        : uninterrupted(connection.send(get(key)).toFuture(timeout));
                assertThat(value).isEqualTo("value of " + key);
                right.incrementAndGet();
            } catch (MemcachedInterruptedException e) {
                assertThat(Thread.interrupted()).as("the flag is set again").isTrue();
            } catch (MemcachedConnectionException e) {
                // Not all commands are to be spent while it reconnects.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            } catch (MemcachedException e) {
                // What became of a command is its own affair here.
            }
        }
    }

    private static <T> T uninterrupted(CompletableFuture<T> future) {
        while (true) {
            try {
                return future.get(LONG_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // Waited for again.
            } catch (ExecutionException e) {
                throw (MemcachedException) e.getCause();
            } catch (java.util.concurrent.TimeoutException e) {
                throw new AssertionError("the future hangs", e);
            }
        }
    }
}
