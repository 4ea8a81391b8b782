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
 * Link whose I/O is done by a Netty event loop, for asynchronous callers and virtual threads.
 *
 * <p>Callers queue their commands; the first caller that finds the writer idle wakes it. The event loop then encodes
 * all queued commands into one buffer, and writes and flushes it once. The writer becomes idle when {@link
 * #pendingOffers} is back at zero. Replies are decoded from each read in one pass.
 *
 * <p>Threading: the event loop is writer and reader. Any thread may call {@link #send}, {@link #tick} and {@link
 * #close}.
 *
 * <p>Memory effects: {@code pendingOffers} is incremented after an offer and decremented after a drain. An offer that
 * raised the count from zero has scheduled a drain. Any other offer finds the count above zero, so a drain is scheduled
 * or runs. If this drain misses the offer, the count stays above zero after its decrement, and the drain schedules
 * another drain.
 */
final class EventLoopLink extends PipelinedLink {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    /**
     * Maximum length of a TLS record that holds several requests. memcached 1.6.18 reads a value only to its end, and
     * commands only up to the capacity of its 16 KiB buffer. The rest of a record then stays in the server's TLS
     * library, unnoticed, until more bytes arrive. A longer batch is therefore split, between requests, into several
     * records.
     */
    private static final int TLS_PACKET_BYTES = 15 * 1024;

    private final Runnable drain = this::drain;
    private final ChannelHandler handler = new Handler();

    /** Written before the first command is sent. */
    private @Nullable Channel channel;

    private final WatchedLoop loop;

    /** True if the socket had not accepted all written bytes at the last check. A closed socket is not checked. */
    private volatile boolean hasUnsent;

    /** Creates a link for a channel of {@code loop}. Its creator has to add {@link #handler} to the channel. */
    EventLoopLink(LinkContext context, Listener listener, WatchedLoop loop) {
        super(context, listener, requestBuffer(context.options().tls() == null));
        this.loop = loop;
    }

    private static RequestBuffer requestBuffer(boolean plain) {
        return plain ? new RequestBuffer() : new RequestBuffer(TLS_PACKET_BYTES);
    }

    /** Returns the link's handler, the last one in the pipeline of its channel. */
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

    // Writer.

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

    /** Writes until the queue is empty. Returns false if the socket becomes full first. */
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

    // Reader.

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

    /** Handler of the channel's events, on the event loop. */
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

    // Timer and close.

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

    /**
     * Makes the event loop fail commands that another thread missed while the event loop removed commands from the
     * queue.
     */
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
