// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications with small heaps, each in a JVM of its own. */
@Timeout(180)
class HeapIT {

    /** What is promised for the client, 64 MiB, with what the JVM and the callers of the test need themselves. */
    private static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-Xmx64m", "-XX:MaxDirectMemorySize=16m");

    /** Returns what an application has printed, which has ended with 0. */
    private static String run(Class<?> application, List<String> options, int... ports) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), application.getName()));
        IntStream.of(ports).forEach(port -> command.add("" + port));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    /** A server that stops costs a client of default settings no more than docs/connections.md says. */
    @Test
    void stoppedServerDoesNotUseTheHeapUp() throws Exception {
        try (ScriptedServer server = ScriptedServer.start().onConnection(HeapIT::greetAndStop)) {
            assertThat(run(Storing.class, SMALL, server.port()))
                    .contains("timed out and")
                    .contains("were refused");
        }
    }

    private static void greetAndStop(ScriptedConnection connection) throws InterruptedException {
        try {
            connection.greet();
        } catch (AssertionError e) {
            // The application has ended meanwhile.
            return;
        }
        connection.stall().ignore();
    }

    /**
     * Stores values of 1 MiB and of 100 KiB, each an array of its own, for a second at least, with calls of four
     * threads and with futures. The connections are replaced a few times meanwhile.
     */
    static final class Storing {

        private static final int[] VALUE_BYTES = {1024 * 1024 - 512, 100 * 1024};
        private static final long NANOS = Duration.ofSeconds(1).toNanos();

        private final long endNanos = System.nanoTime() + NANOS;

        private final LongAdder timedOut = new LongAdder();
        private final LongAdder refused = new LongAdder();

        private Storing() {}

        public static void main(String[] args) throws Exception {
            Storing application = new Storing();
            Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
                failure.printStackTrace();
                Runtime.getRuntime().halt(3);
            });
            try (Memshard memshard = Memshard.builder()
                    .servers("127.0.0.1:" + args[0])
                    .requestTimeout(Duration.ofMillis(50)) // Time-outs and losses are wanted.
                    .livenessTimeout(Duration.ofMillis(300)) // Likewise.
                    .build()) {
                application.store(memshard);
            }
            System.out.println(application.timedOut + " timed out and " + application.refused + " were refused");
        }

        private void store(Memshard memshard) throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                threads.add(new Thread(() -> call(memshard.client())));
            }
            threads.forEach(Thread::start);
            AsyncMemcachedClient<byte[]> async = memshard.asyncClient();
            for (int i = 0; !isOver(); i++) {
                async.set("key" + i, value(i), TimeToLive.NEVER).whenComplete((stored, failure) -> {
                    count(failure instanceof CompletionException ? failure.getCause() : failure);
                });
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private void call(MemcachedClient<byte[]> client) {
            for (int i = 0; !isOver(); i++) {
                try {
                    client.set("key" + i, value(i), TimeToLive.NEVER);
                } catch (MemcachedException e) {
                    count(e);
                }
            }
        }

        private boolean isOver() {
            return endNanos - System.nanoTime() <= 0 && timedOut.sum() > 0 && refused.sum() > 0;
        }

        private static byte[] value(int index) {
            return new byte[VALUE_BYTES[index % VALUE_BYTES.length]];
        }

        private void count(Throwable failure) {
            if (failure instanceof MemcachedTimeoutException) {
                timedOut.increment();
            } else if (failure instanceof MemcachedOverloadException) {
                refused.increment();
            } else if (!(failure instanceof MemcachedException)) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(4);
            }
        }
    }

    /** An application fills its heap again and again. When there is memory again, its client works as before. */
    @Tag("deep")
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC"})
    void clientWorksAgainOnceMemoryIsFree(String collector) throws Exception {
        try (EmbeddedMemcached memcached = EmbeddedMemcached.start();
                ScriptedServer silent =
                        ScriptedServer.start().onConnection(c -> c.greet().ignore())) {
            assertThat(run(Filling.class, List.of(collector, "-Xmx64m"), memcached.port(), silent.port()))
                    .contains("whole after");
        }
    }

    /** Ends with 0 if its client is whole afterwards. */
    static final class Filling {

        private static final int STORMS = 2;
        private static final long STORM_NANOS = TimeUnit.SECONDS.toNanos(2);

        /** Beyond it the client counts as dead. */
        private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

        private static final LongAdder OUT_OF_MEMORY = new LongAdder();
        private static volatile @Nullable List<byte[]> filling;
        private static volatile boolean over;

        private Filling() {}

        public static void main(String[] args) throws Exception {
            Memshard memshard = newMemshard(args[0], Duration.ofSeconds(60));
            Memshard silent = newMemshard(args[1], Duration.ofSeconds(1));
            byte[] value = new byte[100_000];
            memshard.client().set("k", value, Duration.ofHours(1));
            memshard.asyncClient().get("k").get();
            hasTimedOut(silent);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean asynchronous = i % 2 == 0;
                Thread caller = new Thread(() -> callUntilOver(memshard, asynchronous));
                caller.setDaemon(true);
                caller.start();
                callers.add(caller);
            }
            for (int i = 0; i < STORMS; i++) {
                fill();
                filling = null;
                TimeUnit.MILLISECONDS.sleep(200); // Memory, for a moment.
            }
            over = true;
            long start = System.nanoTime();
            until(start, () -> memshard.client().get("k") != null);
            until(start, () -> memshard.asyncClient().get("k").get(60, TimeUnit.SECONDS) != null);
            until(start, () -> hasTimedOut(silent));
            for (int i = 0; i < 20; i++) {
                memshard.client().get("k");
                memshard.asyncClient().get("k").get(60, TimeUnit.SECONDS);
            }
            System.out.println(OUT_OF_MEMORY + " OutOfMemoryErrors, whole after "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
            System.exit(0);
        }

        private static Memshard newMemshard(String port, Duration requestTimeout) {
            Memshard memshard = Memshard.builder()
                    .servers("127.0.0.1:" + port)
                    .requestTimeout(requestTimeout)
                    .build();
            memshard.awaitReady(Duration.ofSeconds(60));
            return memshard;
        }

        private static void fill() {
            List<byte[]> all = new ArrayList<>(1 << 16);
            filling = all;
            long end = System.nanoTime() + STORM_NANOS;
            long before = OUT_OF_MEMORY.sum();
            while (System.nanoTime() - end < 0 || OUT_OF_MEMORY.sum() == before) { // The storm.
                try {
                    all.add(new byte[20_000]);
                } catch (OutOfMemoryError e) {
                    OUT_OF_MEMORY.increment();
                }
            }
        }

        private static void callUntilOver(Memshard memshard, boolean asynchronous) {
            while (!over) {
                try {
                    if (asynchronous) {
                        memshard.asyncClient().get("k").get(60, TimeUnit.SECONDS);
                    } else {
                        memshard.client().get("k");
                    }
                } catch (Throwable e) {
                    // As it may, while there is no memory.
                }
            }
        }

        /** Whether a future that has no reply ends in time, which takes the timer. */
        private static boolean hasTimedOut(Memshard silent) throws Exception {
            CompletableFuture<byte[]> get = silent.asyncClient().get("k");
            try {
                get.get(60, TimeUnit.SECONDS);
                return false;
            } catch (ExecutionException e) {
                return e.getCause() instanceof MemcachedTimeoutException;
            }
        }

        private static void until(long startNanos, Callable<Boolean> condition) throws Exception {
            while (true) {
                Throwable last = null;
                try {
                    if (condition.call()) {
                        return;
                    }
                } catch (Exception | OutOfMemoryError e) {
                    last = e;
                }
                if (System.nanoTime() - startNanos > LIMIT_NANOS) {
                    System.out.println("not whole: " + last);
                    System.exit(1);
                }
                TimeUnit.MILLISECONDS.sleep(10); // Between two attempts.
            }
        }
    }
}
