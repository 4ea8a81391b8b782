// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.serializer;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of serializers: how long do they take to encode and to decode a value, without a server?
 *
 * <p>Not measured: compression, whose time depends on the bytes and not on the serializer. The size of the value is the
 * same on every machine, and so is in {@code SerializerSizesTest}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets what is null here.
public class SerializerBenchmark {

    /** Serializer that encodes and decodes. */
    @Param
    public SerializerKind serializer;

    /** Number of lines of the order. */
    @Param({"1", "20"})
    public int lines;

    private Transcoder<SampleOrder> transcoder;
    private SampleOrder order;
    private EncodedValue encoded;

    /** Creates the value, encodes it, and checks that decoding returns an equal value. */
    @Setup(Level.Trial)
    public void open() {
        transcoder = serializer.open();
        order = SampleOrder.of(lines);
        encoded = transcoder.encode(order);
        SampleOrder read = decode();
        if (!read.equals(order)) {
            throw new IllegalStateException(serializer + " read " + read + " and not " + order);
        }
    }

    /** Encodes one value. */
    @Benchmark
    public EncodedValue encode() {
        return transcoder.encode(order);
    }

    /** Decodes one value. */
    @Benchmark
    public SampleOrder decode() {
        return transcoder.decode(encoded.data(), encoded.flags());
    }
}
