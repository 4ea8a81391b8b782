// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.server.PlainSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Blocking socket for each calling thread. It is not a client, but shows the lowest cost of a call when each thread
 * does its own I/O. The socket has no time-out, because a read with a time-out takes more system calls.
 */
final class SocketPerThread implements Contender {

    private final InetSocketAddress server;
    private final Queue<PlainSocket> opened = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("ThreadLocalUsage") // Ends with the threads of the run.
    private final ThreadLocal<@Nullable PlainSocket> sockets = new ThreadLocal<>();

    SocketPerThread(ContenderSettings settings) {
        server = settings.server();
    }

    private PlainSocket socket() throws IOException {
        PlainSocket socket = sockets.get();
        if (socket == null) {
            socket = new PlainSocket(server, 0);
            opened.add(socket);
            sockets.set(socket);
        }
        return socket;
    }

    @Override
    public byte @Nullable [] get(String key) throws IOException {
        PlainSocket socket = socket();
        try {
            return socket.get(key);
        } catch (IOException e) {
            abandon(socket);
            throw e;
        }
    }

    @Override
    public void set(String key, byte[] value) throws IOException {
        PlainSocket socket = socket();
        try {
            socket.set(key, value);
        } catch (IOException e) {
            abandon(socket);
            throw e;
        }
    }

    /** Closes the socket, because after a failure the next reply could belong to an earlier command. */
    private void abandon(PlainSocket socket) {
        sockets.remove();
        socket.close();
    }

    @Override
    public void close() {
        opened.forEach(PlainSocket::close);
    }
}
