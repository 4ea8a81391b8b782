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

/**
 * Link whose I/O is done by a Netty event loop, for asynchronous callers and virtual threads. The event loop encodes
 * all queued commands into one buffer, and writes and flushes it once. Threading: the event loop is writer and reader.
 *
 * <p>Memory effects: an offer that raises {@link #pendingOffers} from zero schedules a drain. Any other offer finds a
 * drain scheduled or running. If this drain misses the offer, the count stays above zero after its decrement, and
 * another drain is scheduled.
 */
final class EventLoopLink extends PipelinedLink {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    /**
     * Maximum length of a TLS record that holds several requests; longer batches are split between requests. memcached
     * 1.6.18 reads commands only up to the capacity of its 16 KiB buffer. The rest of a record then stays in its TLS
     * library, unnoticed, until more bytes arrive.
     */
    private static final int TLS_PACKET_BYTES = 15 * 1024;

    private final Runnable drain = this::drain;
    private final ChannelHandler handler = new Handler();

    /** Written before the first command is sent. */
    private @Nullable Channel channel;

    private final WatchedLoop loop;

    /** True if the socket had not accepted all written bytes at the last check. A closed socket is not checked. */
    private volatile boolean hasUnsent;

    /** Creates a link whose {@link #handler} has to be added to a channel of {@code loop}. */
    EventLoopLink(LinkContext context, Listener listener, WatchedLoop loop) {
        super(context, listener, requestBuffer(context.options().tls() == null));
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
            // The event loop has terminated, and the link was closed before.
            failPending();
        }
    }

    /** Writes the queued commands. Runs on the event loop. */
    private void drain() {
        try {
            int seen = pendingOffers.get();
            if (!isAlive()) {
                failPending();
            } else if (!writeQueued()) {
                // The socket is full: channelWritabilityChanged continues, and the count stays above zero until then.
                return;
            }
            if (pendingOffers.addAndGet(-seen) != 0) {
                channel().eventLoop().execute(drain);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Returns false if the socket becomes full before the queue is empty. */
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
            for (int packet = 1; packet < requests.packets(); packet++) {
                int length = requests.packetEnd(packet - 1) - bytes.readerIndex();
                to.write(bytes.readRetainedSlice(length), to.voidPromise());
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
    public Phase writtenPhase() {
        checkUnsent();
        return hasUnsent ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    /** Updates {@link #hasUnsent}. A closed channel no longer provides this information. */
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
                // Drops the reference to the bytes, so that it does not keep their memory after they are released.
                replies.append(Unpooled.EMPTY_BUFFER.nioBuffer());
            }
        } catch (MalformedReplyException | RuntimeException | Error e) {
            fail(e);
        } finally {
            bytes.release();
        }
    }

    @Override
    void completeFutures() {
        if (context.options().completionExecutor() == null) {
            queue.forEachDecoded(Exchange::completeFuture);
        } else {
            passFuturesOn();
        }
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
            fail(new EOFException("closed by the server"));
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
            fail(new IOException("its event loop has terminated, perhaps because memory ran out"));
        } else if (loop.isBlocked(context.options().livenessTimeout().toNanos())) {
            fail(new IOException("its event loop " + loop.whyBlocked()));
        } else {
            if (pendingOffers.get() > 0) {
                // An Error may have discarded a drain before it started. An extra drain is harmless.
                startWriting();
            }
            checkHealth(nowNanos);
        }
    }

    /** Only removes skipped commands: the event loop detects a closed socket itself. */
    @Override
    void lookAtIdle() {
        onEventLoop(queue::removeSkipped);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The channel's close future is awaited elsewhere.
    void closeSocket() {
        Channel closing = channel();
        if (loop.isTerminated() && closing instanceof UnixChannel unix) {
            // Neither an event loop nor the garbage collector closes the socket any more. A second close has no effect.
            try {
                unix.fd().close();
            } catch (IOException e) {
                LOG.debug("{}: the socket could not be closed", context, e);
            }
        }
        closing.close();
    }

    /** Makes the event loop fail commands that another thread missed while the event loop changed the queue. */
    @Override
    void wakeTransport() {
        onEventLoop(this::failPending);
    }

    /** Waits for the socket to be closed. Does not wait for a blocked event loop, which closes the socket later. */
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
            // The event loop terminates only after all its links were closed.
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
