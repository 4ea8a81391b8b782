// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application fills its heap again and again. When there is memory again, its client works as before. */
@Timeout(180)
@Tag("deep")
class FullHeapIT {

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC"})
    void clientWorksAgainWhenThereIsMemoryAgain(String collector) throws Exception {
        try (EmbeddedMemcached memcached = EmbeddedMemcached.start();
                ScriptedServer silent =
                        ScriptedServer.start().onConnection(c -> c.greet().ignore())) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            collector,
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Application.class.getName(),
                            "" + memcached.port(),
                            "" + silent.port())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            assertThat(output).contains("whole after").doesNotContain(" 0 OutOfMemoryErrors");
        }
    }

    /** Ends with 0 if its client is whole afterwards. */
    static final class Application {

        private static final int STORMS = 2;
        private static final long STORM_NANOS = TimeUnit.SECONDS.toNanos(1);

        /** Beyond it the client counts as dead. */
        private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

        private static final LongAdder OUT_OF_MEMORY = new LongAdder();
        private static volatile @Nullable List<byte[]> filling;
        private static volatile boolean over;

        private Application() {}

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
            while (System.nanoTime() - end < 0) { // The storm; no count is asserted.
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
