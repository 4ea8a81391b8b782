// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.bench.machine.ProcessFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Proxy in front of a server on this machine that imitates a network of known latency. It forwards bytes half a round
 * trip later, in both directions and in their order. It loses no byte, and connecting is not delayed.
 *
 * <p>Its threads take CPU time, which a network does not, and wake a little late. So measure the actual round trip with
 * {@link BenchServer#roundTripMicros}.
 *
 * <p>Threading: two daemon threads for each direction of a connection, one that reads and one that writes what is due.
 * The sockets of a client that is still connected close with the process.
 */
public final class DelayingProxy implements AutoCloseable {

    private static final int PORTION_BYTES = 64 * 1024;

    /** Number of portions in transit for each direction. Beyond it no more bytes are read. */
    private static final int MOST_PORTIONS = 256;

    private static final byte[] END = new byte[0];

    private final InetSocketAddress target;
    private final long delayNanos;
    private final ServerSocket acceptor;

    /** Bytes in transit; {@link #END} for the end of the stream. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Portion(byte[] bytes, long dueNanos) {}

    /** Step of a thread, which ends with its first failure. */
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** Creates a proxy on a free port. A round trip to {@code target} takes {@code roundTripMicros}, at least 1. */
    public DelayingProxy(InetSocketAddress target, int roundTripMicros) throws IOException {
        if (roundTripMicros < 1) {
            throw new IllegalArgumentException("a round trip must be at least 1 us, not " + roundTripMicros);
        }
        this.target = target;
        this.delayNanos = TimeUnit.MICROSECONDS.toNanos(roundTripMicros) / 2;
        this.acceptor = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Returns the address to connect to instead of the server's. */
    public InetSocketAddress address() {
        return (InetSocketAddress) acceptor.getLocalSocketAddress();
    }

    private static void start(Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        step.run();
                    } catch (IOException e) {
                        // A side hung up, or the proxy is closed.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "delaying-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = acceptor.accept();
            try {
                Socket server = new Socket(target.getAddress(), target.getPort());
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                forward(client, server);
                forward(server, client);
            } catch (IOException e) {
                client.close();
            }
        }
    }

    private void forward(Socket from, Socket to) {
        BlockingQueue<Portion> underWay = new ArrayBlockingQueue<>(MOST_PORTIONS);
        start(() -> read(from, underWay));
        start(() -> write(underWay, from, to));
    }

    private void read(Socket from, BlockingQueue<Portion> underWay) throws IOException, InterruptedException {
        byte[] buffer = new byte[PORTION_BYTES];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                underWay.put(new Portion(Arrays.copyOf(buffer, read), System.nanoTime() + delayNanos));
            }
        } finally {
            underWay.put(new Portion(END, System.nanoTime() + delayNanos));
        }
    }

    private static void write(BlockingQueue<Portion> underWay, Socket from, Socket to)
            throws IOException, InterruptedException {
        ProcessFiles.wakePrecisely();
        Portion next = underWay.take();
        try {
            for (; next.bytes != END; next = underWay.take()) {
                waitFor(next.dueNanos);
                to.getOutputStream().write(next.bytes);
            }
            waitFor(next.dueNanos);
            to.shutdownOutput();
            if (from.isOutputShutdown()) {
                to.close();
                from.close();
            }
        } catch (IOException e) {
            to.close();
            from.close();
            while (next.bytes != END) {
                next = underWay.take();
            }
        }
    }

    private static void waitFor(long dueNanos) {
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() throws IOException {
        acceptor.close();
    }

    /**
     * Runs the program with the arguments {@code HOST PORT MICROSECONDS}. Prints the port on which the proxy listens.
     * Ends at the end of standard input, and so together with the process that started it.
     */
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress target = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        try (DelayingProxy proxy = new DelayingProxy(target, Integer.parseInt(arguments[2]))) {
            System.out.println(proxy.address().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                // The input is ignored; only its end counts.
            }
        }
    }
}
