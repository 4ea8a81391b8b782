// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * TCP proxy on the loopback interface that injects network faults. The proxy closes, resets or refuses connections, and
 * stalls, delays, slices, drops or corrupts their data.
 *
 * <p>Threading: thread-safe. {@link #cutAll} and {@link #resetAll} affect existing connections. {@link #refuse} affects
 * new connections. All other faults affect existing and new connections. Each connection has two daemon threads, named
 * {@code fault-proxy-*}.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final long STALL_CHECK_NANOS = 1_000_000;

    private final InetSocketAddress target;
    private final ServerSocket acceptor;
    private final List<Pair> pairs = new CopyOnWriteArrayList<>();

    private final AtomicInteger accepted = new AtomicInteger();

    private volatile boolean closed;
    private volatile boolean stalled;
    private volatile boolean refusing;
    private volatile boolean swallowing;
    private volatile int corruptsOneIn;
    private volatile long delayNanos;
    private volatile int sliceBytes = BUFFER_BYTES;
    private volatile HangUp hangUp = (connection, portion) -> false;

    /** Condition under which the proxy closes a connection instead of forwarding a portion of data. */
    @FunctionalInterface
    public interface HangUp {

        /**
         * Returns whether the proxy closes the connection instead of forwarding this portion from the client.
         *
         * @param connection number of the connection, from 0, in the order in which the proxy accepted connections
         * @param portion number of the portion from this client, from 0. A portion is the data of one read. A portion
         *     is a whole request if the client writes each request at once and waits for the reply
         */
        boolean on(int connection, int portion);
    }

    /** Starts a proxy in front of {@code target}, on a free port. */
    public FaultProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        acceptor = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(acceptor.getInetAddress(), acceptor.getLocalPort());
    }

    /** Returns the number of open connections through the proxy. */
    public int connections() {
        return pairs.size();
    }

    /** Returns the number of connections that were forwarded to the target so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Closes every connection gracefully: both sides read the end of the stream. */
    public void cutAll() {
        pairs.forEach(pair -> pair.close(false));
    }

    /** Resets every connection: both sides fail with a connection reset. */
    public void resetAll() {
        pairs.forEach(pair -> pair.close(true));
    }

    /** Closes a connection gracefully as soon as {@code when} returns true for a portion of data from its client. */
    public void hangUp(HangUp when) {
        hangUp = when;
    }

    /** Sets whether the proxy closes each new connection as soon as it is accepted. */
    public void refuse(boolean refuse) {
        refusing = refuse;
    }

    /** Sets whether the proxy holds all data back. The sockets stay open, as with a dead network. */
    public void stall(boolean stall) {
        stalled = stall;
    }

    /** Delays each portion of data by {@code delay}. */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Forwards data in portions of at most this many bytes, with a separate packet for each portion. */
    public void slice(int bytes) {
        if (bytes < 1 || bytes > BUFFER_BYTES) {
            throw new IllegalArgumentException("slice is " + bytes + ", but must be 1 to " + BUFFER_BYTES);
        }
        sliceBytes = bytes;
    }

    /**
     * Sets whether the proxy drops all data, as a cut network does. Once a connection has lost bytes, the proxy
     * forwards nothing more on that connection, but keeps the sockets open.
     */
    public void swallow(boolean swallow) {
        swallowing = swallow;
    }

    /**
     * Changes one byte in about one of {@code oneIn} portions from the target. If {@code oneIn} is 0, changes nothing.
     * Data from the client stays unchanged, because a server does not detect a changed key.
     */
    public void corrupt(int oneIn) {
        if (oneIn < 0) {
            throw new IllegalArgumentException("oneIn is " + oneIn + ", but must be 0 or more");
        }
        corruptsOneIn = oneIn;
    }

    /** Ends all faults. On connections that have lost bytes, the proxy still forwards nothing. */
    public void heal() {
        hangUp = (connection, portion) -> false;
        stalled = false;
        refusing = false;
        swallowing = false;
        corruptsOneIn = 0;
        delayNanos = 0;
        sliceBytes = BUFFER_BYTES;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = acceptor.accept();
                if (refusing) {
                    client.close();
                } else {
                    pass(client);
                }
            } catch (IOException e) {
                // If the target refuses the connection, the client sees a connection that closes at once.
            }
        }
    }

    private void pass(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(target);
            Pair pair = new Pair(accepted.get(), client, server);
            pairs.add(pair);
            accepted.incrementAndGet();
            if (closed || refusing) {
                // The caller may have called refuse, and then cutAll or resetAll, before this connection was added.
                pair.close(closed);
            }
            start("up", () -> pump(pair, client, server));
            start("down", () -> pump(pair, server, client));
        } catch (IOException e) {
            client.close();
            server.close();
            throw e;
        }
    }

    private void pump(Pair pair, Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            to.setTcpNoDelay(true);
            int portions = 0;
            for (int read = in.read(buffer, 0, sliceBytes); read >= 0; read = in.read(buffer, 0, sliceBytes)) {
                holdBack();
                if (from == pair.server) {
                    corruptPerhaps(buffer, read);
                } else if (hangUp.on(pair.number, portions++)) {
                    return;
                }
                if (!pair.swallows()) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // After one side has closed, the other is closed too.
        } finally {
            pair.close(false);
        }
    }

    private void corruptPerhaps(byte[] buffer, int length) {
        int oneIn = corruptsOneIn;
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (oneIn > 0 && random.nextInt(oneIn) == 0) {
            buffer[random.nextInt(length)] ^= (byte) random.nextInt(1, 256);
        }
    }

    private void holdBack() {
        if (delayNanos > 0) {
            LockSupport.parkNanos(delayNanos);
        }
        while (stalled && !closed) {
            LockSupport.parkNanos(STALL_CHECK_NANOS);
        }
    }

    /** Resets every connection and stops accepting. */
    @Override
    public void close() {
        closed = true;
        try {
            acceptor.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            resetAll();
        }
    }

    private static void start(String role, Runnable task) {
        Thread thread = new Thread(task, "fault-proxy-" + role);
        thread.setDaemon(true);
        thread.start();
    }

    private final class Pair {

        private final int number;
        private final Socket client;
        private final Socket server;

        private volatile boolean hasLostBytes;

        Pair(int number, Socket client, Socket server) {
            this.number = number;
            this.client = client;
            this.server = server;
        }

        boolean swallows() {
            if (swallowing) {
                hasLostBytes = true;
            }
            return hasLostBytes;
        }

        void close(boolean reset) {
            pairs.remove(this);
            close(client, reset);
            close(server, reset);
        }

        private static void close(Socket socket, boolean reset) {
            try {
                if (reset && !socket.isClosed()) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (IOException e) {
                // The socket is closed already.
            }
        }
    }
}
