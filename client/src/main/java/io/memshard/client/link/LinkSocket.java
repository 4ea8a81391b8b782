// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Socket of a {@link CallerDrivenLink}. It is non-blocking, because an interrupt during a blocking read would close it.
 * It has its own direct buffers, because the JDK would otherwise cache a buffer for each thread. Threading: the link's
 * writer writes, its reader reads, and any thread may call {@link #close}.
 */
final class LinkSocket {

    private static final int BUFFER_BYTES = 64 * 1024;

    private final SocketChannel channel;
    private final LargeBuffers largeBuffers;
    private @Nullable SelectionKey key;

    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

    private static final byte[] NOTHING = {};

    private byte[] rest = NOTHING;
    private int restFrom;

    private LinkSocket(SocketChannel channel, LargeBuffers largeBuffers) throws IOException {
        this.channel = channel;
        this.largeBuffers = largeBuffers;
        channel.configureBlocking(false);
    }

    static LinkSocket connect(SocketAddress address, long timeoutNanos, LargeBuffers largeBuffers) throws IOException {
        boolean unix = address instanceof UnixDomainSocketAddress;
        SocketChannel channel = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        boolean connected = false;
        try {
            if (unix) {
                connectUnix(channel, address);
            } else {
                connectTcp(channel, address, timeoutNanos);
            }
            LinkSocket socket = new LinkSocket(channel, largeBuffers);
            connected = true;
            return socket;
        } finally {
            if (!connected) {
                channel.close();
            }
        }
    }

    static void connectTcp(SocketChannel channel, SocketAddress address, long timeoutNanos) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        try {
            channel.socket().connect(address, (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        } catch (SocketTimeoutException e) {
            throw new SocketTimeoutException("connection timed out: " + address);
        } catch (ConnectException e) {
            throw new ConnectException(LinkFailure.describe(e) + ": " + address);
        }
    }

    /** Does not block, because a Unix domain socket connects immediately or not at all. */
    private static void connectUnix(SocketChannel channel, SocketAddress address) throws IOException {
        channel.configureBlocking(false);
        try {
            if (!channel.connect(address)) {
                throw new ConnectException("the server accepts no connections at present: " + address);
            }
        } catch (ConnectException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(LinkFailure.describe(e) + ": " + address, e);
        }
    }

    boolean flush() throws IOException {
        while (true) {
            if (out.hasRemaining()) {
                channel.write(out);
                if (out.hasRemaining()) {
                    return false;
                }
            }
            if (rest.length == 0) {
                return true;
            }
            fillOut();
        }
    }

    /** Copies the batch first, because a caller may get an outcome and change its array as soon as a byte is sent. */
    void write(Batch batch) throws IOException {
        ByteBuffer large = batch.requests.length() > BUFFER_BYTES ? largeBuffers.take() : null;
        if (large == null) {
            copy(batch, out);
        } else {
            try {
                copy(batch, large);
                channel.write(large);
                keep(large);
            } finally {
                largeBuffers.give(large);
            }
        }
        flush();
    }

    private void copy(Batch batch, ByteBuffer to) {
        RequestBuffer requests = batch.requests;
        do {
            requests.drainTo(to.clear());
            to.flip();
            rest = requests.hasUndrained() ? requests.drain() : NOTHING;
        } while (!batch.isWhole());
        restFrom = 0;
        requests.clear();
    }

    private void keep(ByteBuffer unwritten) {
        int bytes = unwritten.remaining();
        if (bytes > 0) {
            byte[] all = new byte[bytes + rest.length];
            unwritten.get(all, 0, bytes);
            System.arraycopy(rest, 0, all, bytes, rest.length);
            rest = all;
        }
    }

    private void fillOut() {
        int portion = Math.min(BUFFER_BYTES, rest.length - restFrom);
        out.clear();
        out.put(rest, restFrom, portion).flip();
        restFrom += portion;
        if (restFrom == rest.length) {
            rest = NOTHING;
        }
    }

    int read(ReplyBuffer replies) throws IOException {
        if (in.hasRemaining()) {
            throw new IllegalStateException(in.remaining() + " bytes of an earlier read are not decoded yet");
        }
        int read;
        try {
            read = channel.read(in.clear());
        } finally {
            in.flip();
        }
        replies.append(in);
        return read;
    }

    void register(Selector selector, @Nullable CallerDrivenLink link) throws IOException {
        key = channel.register(selector, SelectionKey.OP_READ, link);
    }

    void selectWritable(boolean wanted) {
        SelectionKey registered = key;
        try {
            if (registered != null) {
                registered.interestOps(wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            }
        } catch (CancelledKeyException e) {
            // The socket is closed, so its link has failed.
        }
    }

    boolean isWritable() {
        SelectionKey registered = key;
        try {
            return registered != null && registered.isWritable();
        } catch (CancelledKeyException e) {
            return false;
        }
    }

    boolean isRegistered() {
        return channel.isRegistered();
    }

    /** Closes the socket. The file descriptor stays open until the next selection. */
    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing more can be done.
        }
    }
}
