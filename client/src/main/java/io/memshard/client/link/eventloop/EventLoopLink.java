// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link.eventloop;

import io.memshard.client.exception.Phase;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.PipelinedLink;
import io.memshard.client.protocol.MalformedReplyException;
import io.memshard.client.protocol.RequestBuffer;
import io.netty.buffer.ByteBuf;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link whose I/O is done by a Netty event loop, for asynchronous callers and virtual threads.
 *
 * <p>Callers queue their commands; the first to find the writer asleep wakes it. The event loop then
 * encodes all that is queued into one buffer, writes and flushes it once, and goes to sleep when the count
 * of {@link #pendingOffers} is back at zero. Replies are decoded from each read in one pass.
 *
 * <p>Threading: the event loop is writer and reader. {@link #send}, {@link #tick} and {@link #close} may be called by
 * any thread.
 *
 * <p>Memory effects: {@code pendingOffers} is incremented after an offer and decremented after a drain. An offer
 * that raised it from zero has scheduled a drain. One that did not precedes the decrement of a drain that
 * has begun, which sees the rest and schedules another. So no offer is overlooked.
 */
final class EventLoopLink extends PipelinedLink {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /**
     * The longest TLS record that has more than one request, or the end of one. memcached 1.6.18 reads a value only to
     * its end, and commands only as far as its buffer of 16 KiB has room. What is left of a record then waits inside
     * its TLS library, unseen, until more bytes come. So records are cut between requests.
     */
    private static final int TLS_PACKET_BYTES = 15 * 1024;

    private final Runnable drain = this::drain;
    private final ChannelHandler handler = new Handler();

    /** Set before the first command is sent. */
    private @Nullable Channel channel;

    private final WatchedLoop loop;

    /** Whether the socket had not taken all that was written when this was last looked at, before it was closed. */
    private volatile boolean hasUnsent;

    /** A link in no channel yet, which will be one of {@code loop}. */
    EventLoopLink(LinkContext context, Listener listener, WatchedLoop loop) {
        super(context, listener, requestBuffer(context.options().access().tls() == null));
        this.loop = loop;
    }

    private static RequestBuffer requestBuffer(boolean plain) {
        return plain ? new RequestBuffer() : new RequestBuffer(TLS_PACKET_BYTES);
    }

    /** What the link is in the pipeline of its channel: the last handler. */
    ChannelHandler handler() {
        return handler;
    }

    Channel channel() {
        Channel added = channel;
        if (added == null) {
            throw new IllegalStateException("the link is in no channel");
        }
        return added;
    }

    // The writer.

    @Override
    protected void startWriting() {
        try {
            channel().eventLoop().execute(drain);
        } catch (RejectedExecutionException e) {
            // The event loop is gone, and the link was closed before.
            failPending();
        }
    }

    /** Writes what is queued. Runs on the event loop. */
    private void drain() {
        try {
            int seen = pendingOffers.get();
            if (!isAlive()) {
                failPending();
            } else if (!writeQueued()) {
                // The socket is full: channelWritabilityChanged goes on, and the count stays up till then.
                return;
            }
            if (pendingOffers.addAndGet(-seen) != 0) {
                channel().eventLoop().execute(drain);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Writes until the queue is empty; false if the socket is full before. */
    private boolean writeQueued() {
        Channel to = channel();
        boolean emptied = false;
        boolean written = false;
        while (!emptied && to.isWritable()) {
            emptied = !encodeBatch();
            written |= writeBatch(to);
        }
        if (written) {
            to.flush();
            lookForUnsent();
        }
        return emptied;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A failed write fails the link, by exceptionCaught.
    private boolean writeBatch(Channel to) {
        if (requests.length() == 0) {
            return false;
        }
        int from = 0;
        for (int packet = 0; packet < requests.packets(); packet++) {
            int end = requests.packetEnd(packet);
            ByteBuf bytes = to.alloc().directBuffer(end - from);
            bytes.writeBytes(requests.array(), from, end - from);
            to.write(bytes, to.voidPromise());
            from = end;
        }
        // They are not kept twice while the socket takes no more.
        requests.clear();
        return true;
    }

    @Override
    public Phase writtenPhase() {
        lookForUnsent();
        return hasUnsent ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    /** A channel that is closed does not tell any more. */
    private void lookForUnsent() {
        Channel to = channel();
        if (to.isActive()) {
            hasUnsent = to.bytesBeforeUnwritable() < to.config().getWriteBufferHighWaterMark();
        }
    }

    // The reader.

    private void read(ByteBuf bytes) {
        try {
            while (bytes.isReadable() && isAlive()) {
                int portion = Math.min(replies.makeRoom(), bytes.readableBytes());
                bytes.readBytes(replies.array(), replies.limit(), portion);
                replies.advanceLimit(portion);
                takeReplies();
            }
        } catch (MalformedReplyException | RuntimeException | Error e) {
            fail(e);
        } finally {
            bytes.release();
        }
    }

    @Override
    protected void completeFutures() {
        if (context.options().completionExecutor() == null) {
            queue.forEachDecoded(Exchange::completeFuture);
        } else {
            passFuturesOn();
        }
    }

    /** What Netty tells of the channel, on the event loop. */
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

    // The timer, and the end.

    @Override
    protected void tickAlive(long nowNanos) {
        lookForUnsent();
        if (loop.hasEnded()) {
            fail(new IOException("its event loop has ended, as for lack of memory"));
        } else if (loop.isHeldUp(context.options().livenessTimeout().toNanos())) {
            fail(new IOException("its event loop is held up, as by a stage of a future that blocks"));
        } else {
            if (pendingOffers.get() > 0) {
                // An Error may have ended a drain before it began. One too many does no harm.
                startWriting();
            }
            checkHealth(nowNanos);
        }
    }

    /** The event loop notices by itself when the socket is closed. */
    @Override
    protected void lookAtIdle() {
        onEventLoop(queue::removeSkipped);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The closing of the socket is awaited by its own future.
    protected void closeSocket() {
        Channel closing = channel();
        if (loop.isTerminated() && closing instanceof UnixChannel unix) {
            // No event loop does it any more, nor the garbage collector. Again it does nothing.
            try {
                unix.fd().close();
            } catch (IOException e) {
                LOG.debug("{}: its socket could not be closed", context, e);
            }
        }
        closing.close();
    }

    /** Has the event loop fail what another thread has missed, because the event loop removed other commands. */
    @Override
    protected void wakeTransport() {
        onEventLoop(this::failPending);
    }

    /** Waits for the socket, which an event loop that is held up closes when it goes on. */
    @Override
    public void awaitClosed(long deadlineNanos) {
        if (loop.isHeldUp(0) || loop.isTerminated()) {
            return;
        }
        channel().closeFuture().awaitUninterruptibly(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void onEventLoop(Runnable task) {
        try {
            channel().eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            // The event loop ends only after each of its links was closed.
        }
    }

    @Override
    protected String readerName() {
        return "event loop";
    }

    @Override
    protected long readerHeldUpNanos(long nowNanos, long silenceNanos) {
        return loop.heldUpNanos(nowNanos);
    }
}
