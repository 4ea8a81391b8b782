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
 * Socket to memcached for the few commands around a measurement. It uses the classic text protocol, which every version
 * speaks. Confined to one thread.
 */
final class PlainSocket implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 5000;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    PlainSocket(InetSocketAddress server) throws IOException {
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(server, TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
            out = new BufferedOutputStream(socket.getOutputStream());
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    String version() throws IOException {
        out.write("version\r\n".getBytes(StandardCharsets.US_ASCII));
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
        out.write(("set " + key + " 0 0 " + value.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(value);
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        String reply = reply();
        if (!reply.equals("STORED")) {
            throw new IOException("the server answered \"" + reply + "\" to a set of " + value.length + " bytes");
        }
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
            // Nothing is lost: the socket is given up either way.
        }
    }
}
