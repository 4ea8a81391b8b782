// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

/**
 * Benchmark of request forms, which shows the gain of merging gets that are written together into one request.
 *
 * <p>The benchmark writes one request to a socket and reads the reply, without a client. So the result is the maximum
 * gain: a client would also have to join requests and to split replies. Every byte of each reply is compared.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets what is null here.
public class RequestFormBenchmark {

    /** Form of a request for many keys. */
    public enum Form {
        /** Form of the client: an {@code mg} for each key. */
        SINGLE_GETS(keys -> IntStream.range(0, keys.length)
                .mapToObj(i -> "mg " + keys[i] + " v f O" + i + "\r\n")
                .collect(Collectors.joining())),
        /** Form of a multi-get of the client: quiet {@code mg}, closed by {@code mn}. */
        QUIET_GETS(keys -> IntStream.range(0, keys.length)
                .mapToObj(i -> "mg " + keys[i] + " v f q O7." + i + "." + i + "\r\n")
                .collect(Collectors.joining("", "", "mn\r\n"))),
        /** The classic {@code get} of many keys. */
        CLASSIC_GET(keys -> "get " + String.join(" ", keys) + "\r\n");

        @SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
        private final Function<String[], String> request;

        Form(Function<String[], String> request) {
            this.request = request;
        }
    }

    private static final int MAX_REPLY_BYTES = 1 << 20;
    private static final int QUIET_MILLIS = 200;

    /** Form of the request. */
    @Param
    public Form form;

    /** Number of keys of a request. */
    @Param({"1", "4", "16", "64"})
    public int keys;

    /** Length of the values in bytes. */
    @Param("100")
    public int valueSize;

    private BenchServer server;
    private Socket socket;
    private byte[] request;
    private byte[] expected;
    private byte[] reply;

    /** Fills the server, connects, and reads the first reply, with which all later replies are compared. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        server = BenchServer.find(System.getProperty(JmhRun.SERVER_PROPERTY));
        Keyspace keyspace = new Keyspace(keys, valueSize);
        keyspace.fill(server);
        String[] names = IntStream.range(0, keys).mapToObj(keyspace::key).toArray(String[]::new);
        request = form.request.apply(names).getBytes(US_ASCII);
        socket = new Socket(server.address().getAddress(), server.address().getPort());
        socket.setTcpNoDelay(true);
        expected = firstReply();
        if (expected.length < keys * valueSize) {
            throw new IllegalStateException("not every key has a value: " + new String(expected, US_ASCII));
        }
        reply = new byte[expected.length];
    }

    private byte[] firstReply() throws IOException {
        socket.getOutputStream().write(request);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] portion = new byte[MAX_REPLY_BYTES];
        socket.setSoTimeout(QUIET_MILLIS);
        try {
            while (true) {
                all.write(portion, 0, socket.getInputStream().read(portion));
            }
        } catch (SocketTimeoutException e) {
            socket.setSoTimeout(0);
            return all.toByteArray();
        }
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        socket.close();
        server.close();
    }

    /** Sends one request for all keys. */
    @Benchmark
    public byte[] get() throws IOException {
        socket.getOutputStream().write(request);
        if (socket.getInputStream().readNBytes(reply, 0, reply.length) < reply.length) {
            throw new EOFException("the server closed the connection");
        }
        if (!Arrays.equals(reply, expected)) {
            throw new IllegalStateException("another reply");
        }
        return reply;
    }
}
