// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.UnixChannel;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Link whose writer and reader is a Netty event loop. */
final class EventLoopLink extends Link {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    /** Maximum length of a TLS record with several requests. memcached 1.6.18 may not read a longer record fully. */
    private static final int TLS_PACKET_BYTES = 15 * 1024;

    private final Runnable drain = this::drain;
    private final ChannelHandler handler = new Handler();

    /** Written before the first command is sent. */
    private @Nullable Channel channel;

    private final WatchedLoop loop;
    private volatile boolean hasUnsent;

    EventLoopLink(LinkContext context, Listener listener, WatchedLoop loop) {
        super(context, listener, requestBuffer(context.options().tls == null));
        this.loop = loop;
    }

    private static RequestBuffer requestBuffer(boolean plain) {
        return plain ? new RequestBuffer() : new RequestBuffer(TLS_PACKET_BYTES);
    }

    ChannelHandler handler() {
        return handler;
    }

    Channel channel() {
        Channel added = channel;
        if (added == null) {
            throw new IllegalStateException("the link has no channel");
        }
        return added;
    }

    @Override
    void startWriting() {
        try {
            channel().eventLoop().execute(drain);
        } catch (RejectedExecutionException e) {
            failPending();
        }
    }

    private void drain() {
        try {
            int seen = pendingOffers.get();
            if (!isAlive()) {
                failPending();
            } else if (!writeQueued()) {
                // channelWritabilityChanged continues once the socket has room.
                return;
            }
            if (pendingOffers.addAndGet(-seen) != 0) {
                channel().eventLoop().execute(drain);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private boolean writeQueued() {
        Channel to = channel();
        boolean emptied = false;
        boolean written = false;
        while (!emptied && to.isWritable()) {
            emptied = !batch.encode();
            written |= writeBatch(to);
        }
        if (written) {
            to.flush();
            checkUnsent();
        }
        return emptied;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A failed write fails the link in exceptionCaught.
    private boolean writeBatch(Channel to) {
        RequestBuffer requests = batch.requests;
        if (requests.length() == 0) {
            return false;
        }
        ByteBuf bytes = to.alloc().directBuffer(requests.length());
        try {
            do {
                requests.drainTo(bytes.internalNioBuffer(0, requests.length()));
            } while (!batch.isWhole());
            bytes.writerIndex(requests.length());
            for (int cut : requests.cuts()) {
                to.write(bytes.readRetainedSlice(cut - bytes.readerIndex()), to.voidPromise());
            }
        } catch (Throwable e) {
            bytes.release();
            throw e;
        }
        if (requests.length() == 0) {
            bytes.release();
            return false;
        }
        to.write(bytes, to.voidPromise());
        // Avoids keeping the bytes twice while the socket is full.
        requests.clear();
        return true;
    }

    @Override
    Phase writtenPhase() {
        checkUnsent();
        return hasUnsent ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    private void checkUnsent() {
        Channel to = channel();
        if (to.isActive()) {
            hasUnsent = to.bytesBeforeUnwritable() < to.config().getWriteBufferHighWaterMark();
        }
    }

    private void read(ByteBuf bytes) {
        try {
            if (bytes.isReadable() && isAlive()) {
                replies.append(bytes.nioBuffer());
                takeReplies();
                // Otherwise the buffer would keep the released bytes in memory.
                replies.append(Unpooled.EMPTY_BUFFER.nioBuffer());
            }
        } catch (MalformedReplyException | RuntimeException | Error e) {
            fail(e);
        } finally {
            bytes.release();
        }
    }

    @Override
    boolean readerCompletesFutures() {
        return context.options().completionExecutor == null;
    }

    private final class Handler extends ChannelInboundHandlerAdapter {

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            channel = added.channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext from, Object message) {
            read((ByteBuf) message);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext changed) {
            if (changed.channel().isWritable() && pendingOffers.get() > 0) {
                startWriting();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext closed) {
            fail(new EOFException("the server closed the connection"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
            fail(cause);
        }
    }

    @Override
    void tickAlive(long nowNanos) {
        checkUnsent();
        if (loop.hasEnded()) {
            fail(new IOException("the connection's event loop has terminated, perhaps because memory ran out"));
        } else if (loop.isBlocked(context.options().livenessTimeout.toNanos())) {
            fail(new IOException("the connection's event loop " + loop.whyBlocked()));
        } else {
            if (pendingOffers.get() > 0) {
                // An Error may have discarded a drain before it started.
                startWriting();
            }
            checkHealth(nowNanos);
        }
    }

    @Override
    void lookAtIdle() {
        onEventLoop(queue::removeSkipped);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // awaitClosed waits for the channel's close future.
    void closeSocket() {
        Channel closing = channel();
        if (loop.isTerminated() && closing instanceof UnixChannel unix) {
            // A terminated event loop does not close the socket.
            try {
                unix.fd().close();
            } catch (IOException e) {
                LOG.debug("{}: the socket could not be closed", context, e);
            }
        }
        closing.close();
    }

    @Override
    void wakeTransport() {
        onEventLoop(this::failPending);
    }

    @Override
    public void awaitClosed(long deadlineNanos) {
        if (loop.isBlocked(0) || loop.isTerminated()) {
            return;
        }
        channel().closeFuture().awaitUninterruptibly(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void onEventLoop(Runnable task) {
        try {
            channel().eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            // The event loop has terminated, and no longer changes the queue.
        }
    }

    @Override
    String readerName() {
        return "event loop";
    }

    @Override
    long readerHeldUpNanos(long sinceNanos, long nowNanos, long silenceNanos) {
        return loop.heldUpNanos(sinceNanos, nowNanos);
    }
}
