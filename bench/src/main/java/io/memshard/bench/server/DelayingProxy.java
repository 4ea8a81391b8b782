// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Proxy in front of a server on this machine that imitates a network of known latency. It forwards bytes half a round
 * trip later, in both directions and in their order. It loses no byte, and only the speed of its single thread limits
 * the bandwidth.
 *
 * <p>The thread takes CPU time, which a network does not. While the thread sleeps, for 10 to 30 microseconds at a time,
 * it does not notice new bytes. So measure the actual round trip with {@link BenchServer#roundTripMicros}. Connecting
 * is not delayed.
 *
 * <p>Threading: one daemon thread does everything; any thread may call {@link #close}.
 */
public final class DelayingProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(10);
    /** Shortest remaining delay for which the thread sleeps. For a shorter delay, a sleep would end too late. */
    private static final long WORTH_A_NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(60);
    /** Maximum time by which the kernel may prolong a sleep of this thread. The kernel's default is 50,000. */
    private static final String SLACK_NANOS = "1000";

    private final InetSocketAddress target;
    private final long delayNanos;
    private final ServerSocketChannel acceptor;
    private final Selector selector;
    private final Thread thread;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    /** Bytes in transit, in the order in which they are due. The delay is the same for all bytes. */
    private final Queue<Portion> underWay = new ArrayDeque<>();

    private volatile boolean closed;

    /** Creates a proxy on a free port. A round trip to {@code target} takes {@code roundTripMicros}, at least 1. */
    public DelayingProxy(InetSocketAddress target, int roundTripMicros) throws IOException {
        if (roundTripMicros < 1) {
            throw new IllegalArgumentException("a round trip takes at least 1 us, not " + roundTripMicros);
        }
        this.target = target;
        this.delayNanos = TimeUnit.MICROSECONDS.toNanos(roundTripMicros) / 2;
        this.acceptor = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        this.selector = Selector.open();
        acceptor.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        this.thread = new Thread(this::run, "delaying-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the address to connect to instead of the server's. */
    public InetSocketAddress address() {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), acceptor.socket().getLocalPort());
    }

    /** One direction of a connection. Confined to the proxy's thread. */
    private static final class Way {

        private final SocketChannel from;
        private final SocketChannel to;
        /** Bytes that were due and did not fit into the socket. */
        private final Queue<ByteBuffer> late = new ArrayDeque<>();
        /** True once the sender has ended the stream; the end itself is still in transit. */
        private boolean closing;
        /** True once the end of the stream has arrived. */
        private boolean ended;

        Way(SocketChannel from, SocketChannel to) {
            this.from = from;
            this.to = to;
        }
    }

    /** Bytes in transit; {@code bytes} is null for the end of the stream. */
    private record Portion(Way way, @Nullable ByteBuffer bytes, long dueNanos) {}

    /**
     * Both ways of a connection, seen from one of its sockets. Reads of the socket fill {@code out}; writes to it drain
     * {@code in}.
     */
    private record Ends(Way out, Way in) {}

    private void run() {
        sleepPrecisely();
        try {
            while (!closed) {
                await();
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key);
                }
                selector.selectedKeys().clear();
                deliver();
            }
        } catch (IOException e) {
            if (!closed) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void sleepPrecisely() {
        try {
            Files.writeString(Path.of("/proc/thread-self/timerslack_ns"), SLACK_NANOS);
        } catch (IOException e) {
            // Then naps are longer, which the measured round trip shows.
        }
    }

    /** Waits for bytes, or until the first portion is due. */
    private void await() throws IOException {
        Portion first = underWay.peek();
        if (first == null) {
            selector.select();
            return;
        }
        long left = first.dueNanos - System.nanoTime();
        if (left > LONG_NANOS) {
            selector.select(TimeUnit.NANOSECONDS.toMillis(left) - 1);
            return;
        }
        if (left > WORTH_A_NAP_NANOS) {
            LockSupport.parkNanos(NAP_NANOS);
        } else if (left > 0) {
            Thread.onSpinWait();
        }
        selector.selectNow();
    }

    private void serve(SelectionKey key) throws IOException {
        try {
            if (key.isAcceptable()) {
                accept();
                return;
            }
            Ends ends = (Ends) key.attachment();
            if (key.isWritable()) {
                flush(ends.in);
            }
            if (key.isReadable()) {
                read(ends.out);
            }
        } catch (CancelledKeyException e) {
            // The other direction closed both sockets.
        }
    }

    private void accept() throws IOException {
        SocketChannel client = acceptor.accept();
        if (client == null) {
            return;
        }
        try {
            SocketChannel server = SocketChannel.open(target);
            Way there = new Way(client, server);
            Way back = new Way(server, client);
            register(client, new Ends(there, back));
            register(server, new Ends(back, there));
        } catch (IOException e) {
            client.close();
        }
    }

    private void register(SocketChannel channel, Ends ends) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, ends);
    }

    private void read(Way way) {
        buffer.clear();
        int read;
        try {
            read = way.from.read(buffer);
        } catch (IOException e) {
            read = -1;
        }
        if (read == 0) {
            return;
        }
        ByteBuffer bytes =
                read < 0 ? null : ByteBuffer.allocate(read).put(buffer.flip()).flip();
        if (read < 0) {
            way.closing = true;
            change(way.from, 0, SelectionKey.OP_READ);
        }
        underWay.add(new Portion(way, bytes, System.nanoTime() + delayNanos));
    }

    private void deliver() {
        for (Portion first = underWay.peek();
                first != null && first.dueNanos - System.nanoTime() <= 0;
                first = underWay.peek()) {
            underWay.remove();
            if (first.bytes == null) {
                first.way.ended = true;
            } else {
                first.way.late.add(first.bytes);
            }
            flush(first.way);
        }
    }

    /** Writes the late bytes. As long as they do not fit into the socket, no more bytes are read for this way. */
    private void flush(Way way) {
        try {
            while (!way.late.isEmpty()) {
                way.to.write(way.late.element());
                if (way.late.element().hasRemaining()) {
                    change(way.from, 0, SelectionKey.OP_READ);
                    change(way.to, SelectionKey.OP_WRITE, 0);
                    return;
                }
                way.late.remove();
            }
            if (way.ended) {
                end(way);
            } else {
                change(way.from, way.closing ? 0 : SelectionKey.OP_READ, 0);
                change(way.to, 0, SelectionKey.OP_WRITE);
            }
        } catch (IOException e) {
            close(way.from);
            close(way.to);
        }
    }

    /** Passes on the end of a stream. Closes the connection once both sides have ended their streams. */
    private void end(Way way) throws IOException {
        change(way.to, 0, SelectionKey.OP_WRITE);
        if (way.to.isOpen()) {
            way.to.shutdownOutput();
        }
        SelectionKey key = way.from.keyFor(selector);
        Way back = key == null ? way : ((Ends) key.attachment()).in;
        if (back.ended && back.late.isEmpty()) {
            close(way.from);
            close(way.to);
        }
    }

    /** Adds {@code more} to the operations that the selector waits for, and removes {@code less}. */
    private void change(SocketChannel channel, int more, int less) {
        SelectionKey key = channel.keyFor(selector);
        if (key != null && key.isValid()) {
            key.interestOps((key.interestOps() & ~less) | more);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is lost: both sides are given up.
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
            acceptor.close();
        } catch (IOException e) {
            // Nothing is lost: all is given up.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
