// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Benchmark of blocking gets with a real server and {@code -t} threads: the number of gets per second, and the time of
 * one get.
 *
 * <p>The figures cover client, kernel and memcached together. Every byte of each value is compared; a wrong value ends
 * the benchmark.
 */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(3)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets what is null here.
public class GetBenchmark {

    private static final int KEYS = 1000;

    /** Contender to call. By default, each contender that a comparison includes when none is named. */
    @Param({
        "TEMPLATE",
        "CONNECTION",
        "SPYMEMCACHED_ARRAY_ROUND_ROBIN",
        "SPYMEMCACHED_ARRAY_THREAD_ID",
        "SPYMEMCACHED_BARE",
        "SPYMEMCACHED_OPTIMIZED",
        "MEMSHARD",
        "MEMSHARD_SINGLE",
        "MEMSHARD_ROUND_ROBIN",
        "MEMSHARD_STICKY",
        "MEMSHARD_CLASSIC",
        "XMEMCACHED",
        "XMEMCACHED_ARRAY",
        "FOLSOM",
        "SOCKET_PER_THREAD"
    })
    public ContenderKind contender;

    /** Number of connections of a contender that is an array. */
    @Param("2")
    public int connections;

    /** Number of clients in the pool of Template. */
    @Param("20")
    public int poolSize;

    /** Length of the values in bytes. */
    @Param("100")
    public int valueSize;

    private BenchServer server;
    private Keyspace keyspace;
    private Contender opened;

    /** Fills the server and connects. */
    @Setup(Level.Trial)
    public void open() {
        server = BenchServer.find(System.getProperty("memshard.bench.server"));
        keyspace = new Keyspace(KEYS, valueSize);
        keyspace.fill(server);
        opened = contender.open(new ContenderSettings(server.address(), connections, poolSize));
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void close() {
        opened.close();
        server.close();
    }

    /** The keys that one thread draws. */
    @State(Scope.Thread)
    public static class Draw {

        private SplittableRandom random;

        /** Seeds the draw with the number of the thread. */
        @Setup
        public void seed(ThreadParams thread) {
            random = new SplittableRandom(thread.getThreadIndex());
        }
    }

    /** Gets a key that exists. */
    @Benchmark
    public byte[] get(Draw draw) throws Exception {
        int key = draw.random.nextInt(KEYS);
        byte[] value = opened.get(keyspace.key(key));
        if (!keyspace.isValueOf(key, value)) {
            throw new IllegalStateException("wrong value of " + keyspace.key(key));
        }
        return value;
    }
}
