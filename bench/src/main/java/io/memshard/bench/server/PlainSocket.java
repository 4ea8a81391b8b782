// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Blocking socket to memcached, with the classic text protocol, which every version speaks.
 *
 * <p>Threading: confined to one thread, except {@link #close}.
 */
final class PlainSocket implements AutoCloseable {

    static final int TIMEOUT_MILLIS = 5000;
    private static final int BUFFER = 16 * 1024;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    /** Connects to {@code server}. A read fails after {@code timeoutMillis}; 0 means never. */
    PlainSocket(InetSocketAddress server, int timeoutMillis) throws IOException {
        try {
            socket.setSoTimeout(timeoutMillis);
            socket.setTcpNoDelay(true);
            socket.connect(server, TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream(), BUFFER);
            out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    String version() throws IOException {
        write("version\r\n");
        String reply = reply();
        if (reply.contains("unauthenticated")) {
            throw new IOException(
                    "the server requires authentication, which the benchmarks do not support: use another server");
        }
        if (!reply.startsWith("VERSION ")) {
            throw new IOException("the server is not memcached: it answered \"" + reply + "\" to version");
        }
        return reply.substring("VERSION ".length());
    }

    void set(String key, byte[] value) throws IOException {
        write("set " + key + " 0 0 " + value.length + "\r\n");
        out.write(value);
        write("\r\n");
        String reply = reply();
        if (!reply.equals("STORED")) {
            throw new IOException("the server answered \"" + reply + "\" to a set of " + value.length + " bytes");
        }
    }

    private void write(String ascii) throws IOException {
        out.write(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private String reply() throws IOException {
        out.flush();
        StringBuilder line = new StringBuilder();
        int next;
        while ((next = in.read()) != '\n') {
            if (next < 0) {
                throw new EOFException("the server closed the connection without an answer; perhaps it requires TLS or"
                        + " is not memcached");
            }
            line.append((char) next);
        }
        return line.toString().strip();
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
