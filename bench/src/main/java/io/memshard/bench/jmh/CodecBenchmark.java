// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.options.Protocol;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

/** Benchmark of the codec: the cost of a request and its reply in memory, in both protocols. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Thread)
@NullUnmarked // JMH sets the fields that start as null.
public class CodecBenchmark {

    private static final String KEY = "user:4711:profile";
    private static final int OPAQUE = 4711;
    private static final int LARGEST_VALUE = 1 << 20;

    @Param({"META", "CLASSIC"})
    public Protocol protocol;

    @Param({"100", "16384"})
    public int valueSize;

    private final RequestBuffer out = new RequestBuffer();
    private final ReplyBuffer in = new ReplyBuffer(LARGEST_VALUE, false);
    private ByteBuffer socket;
    private byte[] value;
    private ByteBuffer hit;
    private ByteBuffer stored;

    @Setup(Level.Trial)
    public void make() throws Exception {
        boolean isMeta = protocol == Protocol.META;
        value = new byte[valueSize];
        Arrays.fill(value, (byte) 'v');
        String text = new String(value, US_ASCII);
        hit = bytes(
                isMeta
                        ? "VA " + valueSize + " f0 O" + OPAQUE + "\r\n" + text + "\r\n"
                        : "VALUE " + KEY + " 0 " + valueSize + "\r\n" + text + "\r\nEND\r\n");
        stored = bytes(isMeta ? "HD O" + OPAQUE + "\r\n" : "STORED\r\n");
        socket = ByteBuffer.allocate(2 * valueSize + 1024);
        if (!Arrays.equals(decodeHit(), value) || decodeStored() != StoreStatus.DONE) {
            throw new IllegalStateException("the replies do not decode to the expected results");
        }
    }

    private static ByteBuffer bytes(String ascii) {
        return ByteBuffer.wrap(ascii.getBytes(US_ASCII));
    }

    private Command<byte[]> get() throws NoClassicFormException {
        return sent(new MetaGet<>(KEY, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data));
    }

    private Command<StoreStatus> set() throws NoClassicFormException {
        MetaSet.Item item = new MetaSet.Item(value, 0, 60);
        return sent(new MetaSet<>(KEY, MetaSet.Mode.SET, item, MetaSet.ANY_CAS, MetaReply::status));
    }

    private <T> Command<T> sent(Command<T> meta) throws NoClassicFormException {
        return protocol == Protocol.META ? meta : meta.classicForm();
    }

    @Benchmark
    public int encodeGet() throws NoClassicFormException {
        return drained(get());
    }

    @Benchmark
    public int encodeSet() throws NoClassicFormException {
        return drained(set());
    }

    private int drained(Command<?> command) {
        command.encode(out, OPAQUE);
        out.endRequest();
        out.drainTo(socket.clear());
        out.clear();
        return socket.position();
    }

    @Benchmark
    public byte[] decodeHit() throws MalformedReplyException, NoClassicFormException {
        return decoded(get(), hit);
    }

    @Benchmark
    public StoreStatus decodeStored() throws MalformedReplyException, NoClassicFormException {
        return decoded(set(), stored);
    }

    private <T> T decoded(Command<T> command, ByteBuffer reply) throws MalformedReplyException {
        in.append(reply.rewind());
        while (!command.decode(in, OPAQUE)) {
            in.append(reply);
        }
        return command.result();
    }
}
