// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.bench.result.BenchException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Blocking socket to memcached with the classic text protocol, for one thread; any thread may close the socket. */
public final class PlainSocket implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int BUFFER = 16 * 1024;
    private static final int PINGS = 100;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    PlainSocket(InetSocketAddress server) throws IOException {
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.connect(server, TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream(), BUFFER);
            out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    public static InetSocketAddress parse(String address) {
        int colon = address.lastIndexOf(':');
        try {
            int port = colon < 1 ? -1 : Integer.parseInt(address.substring(colon + 1));
            return new InetSocketAddress(colon < 1 ? "" : address.substring(0, colon), port);
        } catch (IllegalArgumentException e) {
            throw new BenchException("\"" + address + "\" is not an address of the form host:port");
        }
    }

    public static List<InetSocketAddress> parseAll(String addresses) {
        return Stream.of(addresses.split(",", -1)).map(PlainSocket::parse).toList();
    }

    /** Returns the median time, in microseconds, in which the first of {@code servers} answers {@code version}. */
    public static double roundTripMicros(String servers) {
        double[] micros = new double[PINGS];
        try (PlainSocket socket = new PlainSocket(parseAll(servers).get(0))) {
            for (int i = -PINGS; i < PINGS; i++) {
                long start = System.nanoTime();
                socket.version();
                micros[Math.max(0, i)] = (System.nanoTime() - start) / 1e3;
            }
        } catch (IOException e) {
            throw new BenchException("no memcached answers at " + servers + ": " + e.getMessage(), e);
        }
        Arrays.sort(micros);
        return micros[PINGS / 2];
    }

    void version() throws IOException {
        write("version\r\n");
        out.flush();
        StringBuilder line = new StringBuilder();
        int next;
        while ((next = in.read()) != '\n') {
            if (next < 0) {
                throw new EOFException("the server closed the connection without an answer; perhaps the server"
                        + " requires TLS, or is not memcached");
            }
            line.append((char) next);
        }
        if (line.indexOf("VERSION ") != 0) {
            throw new IOException("the server answered \"" + line.toString().strip() + "\" to version");
        }
    }

    /** Writes a set to which the server does not reply. A later {@link #version} waits until the value is stored. */
    void setQuietly(String key, byte[] value) throws IOException {
        write("set " + key + " 0 0 " + value.length + " noreply\r\n");
        out.write(value);
        write("\r\n");
    }

    private void write(String ascii) throws IOException {
        out.write(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is not used any more.
        }
    }
}
