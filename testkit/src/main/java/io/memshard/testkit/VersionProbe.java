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
import java.util.function.BooleanSupplier;
import javax.net.SocketFactory;

/** Asks a server for its version, to learn whether it answers, or to forget its items. */
final class VersionProbe {

    /** One attempt to learn that a server is there. */
    @FunctionalInterface
    interface Attempt {

        /** The server's version; empty if it does not tell. */
        String make() throws IOException;
    }

    private static final Duration ONE_TRY = Duration.ofSeconds(1);
    private static final Duration TO_FLUSH = Duration.ofSeconds(10);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);
    private static final String PREFIX = "VERSION ";

    private VersionProbe() {}

    /** Asks once; waits no longer than a second for each of connecting and answering. */
    static String ask(String host, int port) throws IOException {
        return ask(host, port, SocketFactory.getDefault());
    }

    /** Asks once over a socket of this factory, for example one with TLS. */
    static String ask(String host, int port, SocketFactory sockets) throws IOException {
        String line = askAnything(host, port, sockets);
        if (!line.startsWith(PREFIX)) {
            throw new IOException(host + ":" + port + " answered version with " + line);
        }
        return line.substring(PREFIX.length());
    }

    /** Asks once and takes any line for an answer, because some servers want authentication first. */
    static String askAnything(String host, int port) throws IOException {
        return askAnything(host, port, SocketFactory.getDefault());
    }

    private static String askAnything(String host, int port, SocketFactory sockets) throws IOException {
        return ask(host, port, sockets, "version", ONE_TRY);
    }

    /** Has a server in plain text forget all items. */
    static void flushAll(MemcachedServer server) throws IOException {
        String line = ask(server.host(), server.port(), SocketFactory.getDefault(), "flush_all", TO_FLUSH);
        if (!line.equals("OK")) {
            throw new IOException(server.description() + " answered flush_all with " + line);
        }
    }

    private static String ask(String host, int port, SocketFactory sockets, String request, Duration timeout)
            throws IOException {
        int timeoutMillis = Math.toIntExact(timeout.toMillis());
        try (Socket socket = sockets.createSocket()) {
            socket.setSoTimeout(timeoutMillis);
            socket.connect(new InetSocketAddress(host, port), timeoutMillis);
            socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            String line = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .readLine();
            if (line == null) {
                throw new IOException(host + ":" + port + " answered " + request + " with nothing");
            }
            return line;
        }
    }

    /** Connects only, for a server that does not answer in plain text. */
    static void connect(SocketAddress address) throws IOException {
        try (SocketChannel channel = SocketChannel.open(address)) {
            if (!channel.isConnected()) {
                throw new IOException("not connected to " + address);
            }
        }
    }

    /** Asks until there is an answer, the time is over or the server is known to be gone. */
    static String await(String host, int port, Duration timeout, BooleanSupplier isAlive) throws IOException {
        return await(() -> ask(host, port), timeout, isAlive);
    }

    /** Makes attempts until one succeeds, the time is over or the server is known to be gone. */
    static String await(Attempt attempt, Duration timeout, BooleanSupplier isAlive) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                return attempt.make();
            } catch (IOException e) {
                if (!isAlive.getAsBoolean() || System.nanoTime() > deadline) {
                    throw e;
                }
            }
            try {
                Thread.sleep(BETWEEN_TRIES.toMillis()); // A process does not tell when it listens.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the server", e);
            }
        }
    }
}
