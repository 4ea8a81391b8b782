// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

final class VersionProbe {

    @FunctionalInterface
    interface Attempt {
        /** Returns the server's version, or another text if the server does not report one. */
        String make() throws IOException;
    }

    private static final int TIMEOUT_MILLIS = 30_000;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final String PREFIX = "VERSION ";

    private VersionProbe() {}

    static String query(String host, int port) throws IOException {
        String line = ask(host, port, "version");
        if (!line.startsWith(PREFIX)) {
            throw new IOException(host + ":" + port + " answered the command version with: " + line);
        }
        return line.substring(PREFIX.length());
    }

    static String queryItem(String host, int port) throws IOException {
        return ask(host, port, "get testkit:probe");
    }

    static void flushAll(MemcachedServer server) throws IOException {
        String line = ask(server.host(), server.port(), "flush_all");
        if (!line.equals("OK")) {
            throw new IOException(server.description() + " answered the command flush_all with: " + line);
        }
    }

    private static String ask(String host, int port, String request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            String line = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .readLine();
            if (line == null) {
                throw new IOException(host + ":" + port + " did not answer " + request);
            }
            return line;
        }
    }

    /** Only connects, and returns no version, for servers with TLS, authentication or a Unix domain socket. */
    static String connect(SocketAddress address) throws IOException {
        SocketChannel.open(address).close();
        return "of unknown version";
    }

    static String await(Attempt attempt, Duration timeout, BooleanSupplier isAlive) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                return attempt.make();
            } catch (IOException e) {
                boolean isOver =
                        System.nanoTime() > deadline || Thread.currentThread().isInterrupted();
                if (isOver || !isAlive.getAsBoolean()) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS); // A process does not announce that it listens.
            }
        }
    }
}
