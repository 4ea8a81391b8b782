// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.bench.server.BenchServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of future stages that block. It shows the gain of a {@code completionExecutor}, and its cost for a stage
 * that does not block.
 *
 * <p>The benchmark has one client with the default number of connections, and a real server. Each value is compared.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(5)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets what is null here.
public class StageBenchmark {

    /** Executor of a client's futures. */
    public enum Executor {
        /** None: threads of the client run the stages. */
        NONE(() -> null),
        /** Threads that are kept and reused. */
        CACHED_THREADS(Executors::newCachedThreadPool),
        /** A virtual thread for each task, as in Spring Boot. Needs JDK 21. */
        VIRTUAL_THREADS(Executor::virtualThreads);

        @SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
        private final Supplier<@Nullable ExecutorService> open;

        Executor(Supplier<@Nullable ExecutorService> open) {
            this.open = open;
        }

        private static ExecutorService virtualThreads() {
            try {
                // Java 21 has this; the code is compiled for 17.
                return (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("-p executor=VIRTUAL_THREADS needs JDK 21 or newer", e);
            }
        }
    }

    private static final int FUTURES = 200;
    private static final int STAGE_MILLIS = 10;
    private static final Duration MORE_THAN_ALL_STAGES = Duration.ofSeconds(10);
    private static final String KEY = "stage-read";
    private static final String WRITTEN = "stage-written";
    private static final byte[] VALUE = "a value".getBytes(UTF_8);

    /** Executor of the futures. */
    @Param({"NONE", "CACHED_THREADS"})
    public Executor executor;

    private BenchServer server;
    private @Nullable ExecutorService threads;
    private Memshard memshard;

    /** Connects and stores the value. */
    @Setup(Level.Trial)
    public void open() {
        server = BenchServer.find(System.getProperty(JmhRun.SERVER_PROPERTY));
        MemshardBuilder builder =
                Memshard.builder().servers(server.hostAndPort()).requestTimeout(MORE_THAN_ALL_STAGES);
        threads = executor.open.get();
        if (threads != null) {
            builder.completionExecutor(threads);
        }
        memshard = builder.build();
        memshard.client().set(KEY, VALUE, Duration.ofHours(1));
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void close() {
        memshard.close();
        if (threads != null) {
            threads.shutdown();
        }
        server.close();
    }

    /** Reads a value and writes another in a stage of the read, like a cached method that returns a future. */
    @Benchmark
    public void blockingSetInAStage() {
        memshard.asyncClient()
                .get(KEY)
                .thenAccept(value -> {
                    check(value);
                    memshard.client().set(WRITTEN, VALUE, Duration.ofHours(1));
                })
                .join();
    }

    /** Reads a value, with a stage that only checks the value. */
    @Benchmark
    public byte[] shortStage() {
        return memshard.asyncClient()
                .get(KEY)
                .thenApply(value -> {
                    check(value);
                    return value;
                })
                .join();
    }

    /** Reads {@value #FUTURES} values at once, each with a stage that sleeps for {@value #STAGE_MILLIS} ms. */
    @Benchmark
    public void stagesThatSleep() {
        CompletableFuture.allOf(IntStream.range(0, FUTURES)
                        .mapToObj(i -> memshard.asyncClient().get(KEY).thenAccept(value -> {
                            check(value);
                            sleep();
                        }))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private static void check(byte @Nullable [] value) {
        if (!Arrays.equals(value, VALUE)) {
            throw new IllegalStateException("wrong value");
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(STAGE_MILLIS);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }
}
