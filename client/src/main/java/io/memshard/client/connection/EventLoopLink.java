package io.memshard.client.connection;

import io.memshard.client.exception.Phase;
import io.memshard.client.options.Protocol;
import io.memshard.client.protocol.MalformedReplyException;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.ReplyBuffer;
import io.memshard.client.protocol.RequestBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A link whose I/O is done by a Netty event loop, for asynchronous callers and virtual threads.
 *
 * <p>Callers queue their commands; the first to find the writer asleep wakes it. The event loop then
 * encodes all that is queued into one buffer, writes and flushes it once, and goes to sleep when the count
 * of {@link #unhandled} offers is back at zero. Replies are decoded from each read in one pass.
 *
 * <p>Threading: writer and reader of the queue are the event loop. {@link #send}, {@link #tick} and
 * {@link #close} may be called by any thread.
 *
 * <p>Death: {@link #die} is for any thread, since the event loop may be held up by what depends on a future. It sets
 * {@link #death} and then fails what it sees in the queue. It overlooks some if the event loop removes others
 * meanwhile; so the event loop does the same when it comes to it, and removes no more. A sender looks at {@code death}
 * after its offer and does the same, so nothing is overlooked that was offered too late or behind a gap.
 *
 * <p>Memory effects: {@code unhandled} is incremented after an offer and decremented after a drain. An offer
 * that raised it from zero has scheduled a drain; one that did not precedes the decrement of a drain that
 * has begun, which sees the rest and schedules another. So no offer is overlooked.
 */
final class EventLoopLink extends ChannelInboundHandlerAdapter implements Link {

    /**
     * The longest TLS record that has more than one request, or the end of one. memcached, as of 1.6.18, reads a value no
     * further than to its end, and commands no further than its buffer of 16 KiB has room; what is left of a record
     * then waits inside its TLS library, unseen, until more bytes come. So records are cut between requests.
     */
    private static final int TLS_PACKET_BYTES = 15 * 1024;

    /** For so many ticks a dead link is looked after, in case an {@link Error} has cut its end short. */
    private static final int TICKS_AFTER_DEATH = 40;

    private final LinkIdentity identity;
    private final Listener listener;
    private final ExchangeQueue queue;
    private final RequestEncoder encoder;
    private final ReplyDecoder decoder;
    private final LinkHealth health;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger unhandled = new AtomicInteger();
    private final Runnable drain = this::drain;

    /** Set before the first command is sent. */
    private @Nullable Channel channel;

    /** Why the link is dead; null while it lives. */
    private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>();

    /** How many commands were completed. Confined to the event loop. */
    private long completed;

    /** When bytes last came. Written by the event loop. */
    private volatile long lastReadNanos = System.nanoTime();

    /** How often a dead link was ticked. Written by the timer. */
    private int ticksAfterDeath;

    private final TickWatch timer = new TickWatch();
    private final TickWatch eventLoop = new TickWatch();

    EventLoopLink(LinkIdentity identity, Listener listener) {
        this.identity = identity;
        this.listener = listener;
        this.queue = new ExchangeQueue(identity);
        boolean plain = identity.options().access().tls() == null;
        this.encoder = new RequestEncoder(queue, plain ? new RequestBuffer() : new RequestBuffer(TLS_PACKET_BYTES));
        this.decoder = new ReplyDecoder(queue, identity.options().maxValueBytes());
        this.health = new LinkHealth(identity.options(), System.nanoTime());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    Channel channel() {
        Channel added = channel;
        if (added == null) {
            throw new IllegalStateException("the link is in no channel");
        }
        return added;
    }

    @Override
    public void send(Exchange<?> exchange) {
        Throwable cause = death.get();
        if (cause != null) {
            LinkDeath.end(exchange, cause);
            listener.settled(exchange);
            return;
        }
        if (identity.protocol() == Protocol.CLASSIC && !exchange.takeClassicForm()) {
            listener.settled(exchange);
            return;
        }
        int max = identity.options().maxInFlight();
        if (inFlight.incrementAndGet() > max) {
            inFlight.decrementAndGet();
            LinkDeath.refuseOverload(exchange, max);
            listener.settled(exchange);
            return;
        }
        try {
            exchange.setLink(this);
            queue.offer(exchange);
            if (unhandled.getAndIncrement() == 0) {
                scheduleDrain();
            }
            if (death.get() != null) {
                bury();
            }
        } catch (Throwable e) {
            // For lack of stack or memory: the event loop may not know of the command, or the command may not be
            // queued.
            die(e);
            LinkDeath.end(exchange, e);
            listener.settled(exchange);
        }
    }

    private void scheduleDrain() {
        try {
            channel().eventLoop().execute(drain);
        } catch (RejectedExecutionException e) {
            // The event loop is gone, and the link was closed before.
            bury();
        }
    }

    /** Writes what is queued. Runs on the event loop. */
    private void drain() {
        try {
            int seen = unhandled.get();
            if (death.get() != null) {
                bury();
            } else if (!writeQueued()) {
                // The socket is full: channelWritabilityChanged goes on, and unhandled stays up till then.
                return;
            }
            if (unhandled.addAndGet(-seen) != 0) {
                channel().eventLoop().execute(drain);
            }
        } catch (RuntimeException | Error e) {
            die(e);
        }
    }

    /** Writes until the queue is empty; false if the socket is full before. */
    @SuppressWarnings("FutureReturnValueIgnored") // A failed write ends the link by exceptionCaught.
    private boolean writeQueued() {
        Channel to = channel();
        boolean emptied = false;
        boolean written = false;
        while (!emptied && to.isWritable()) {
            int skipped = encoder.encodeBatch();
            if (skipped > 0) {
                inFlight.addAndGet(-skipped);
            }
            RequestBuffer batch = encoder.buffer();
            if (batch.length() == 0) {
                emptied = skipped == 0;
                continue;
            }
            int from = 0;
            for (int packet = 0; packet < batch.packets(); packet++) {
                int end = batch.packetEnd(packet);
                ByteBuf bytes = to.alloc().directBuffer(end - from);
                bytes.writeBytes(batch.array(), from, end - from);
                to.write(bytes, to.voidPromise());
                from = end;
            }
            written = true;
        }
        if (written) {
            to.flush();
        }
        return emptied;
    }

    /** Has an exchange without a command take the place of the last one, whose value would stay with it. */
    private void releaseLast() {
        if (queue.keepsLast()) {
            inFlight.incrementAndGet();
            queue.offer(Exchange.over(identity));
            if (unhandled.getAndIncrement() == 0) {
                drain();
            }
            queue.removeSkipped();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable() && unhandled.get() > 0) {
            context.channel().eventLoop().execute(drain);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        lastReadNanos = System.nanoTime();
        ByteBuf bytes = (ByteBuf) message;
        try {
            ReplyBuffer replies = decoder.buffer();
            while (bytes.isReadable() && death.get() == null) {
                int portion = Math.min(replies.makeRoom(), bytes.readableBytes());
                bytes.readBytes(replies.array(), replies.limit(), portion);
                replies.advanceLimit(portion);
                try {
                    decoder.decode();
                } finally {
                    completeDecoded();
                }
            }
        } catch (MalformedReplyException | RuntimeException | Error e) {
            die(e);
        } finally {
            bytes.release();
        }
    }

    private void completeDecoded() {
        int count = queue.decodedCount();
        completed += count;
        inFlight.addAndGet(-count);
        if (queue.completeDecoded()) {
            queue.forEachDecoded(Exchange::completeFuture);
        }
        queue.removeDecoded();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        die(new EOFException("closed by the server"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        die(cause);
    }

    private void die(Throwable cause) {
        if (death.compareAndSet(null, cause)) {
            endLife(cause);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The closing of the socket is awaited by its own future.
    private void endLife(Throwable cause) {
        channel().close();
        // First, so that whoever learns of the loss from its command finds the connection not ready.
        listener.linkLost(this, cause);
        bury();
        if (!channel().eventLoop().inEventLoop()) {
            // What this thread has overlooked since the reader removed other commands.
            onEventLoop(this::bury);
        }
    }

    /** Fails everything in the queue of a dead link. */
    private void bury() {
        Throwable cause = death.get();
        if (cause != null) {
            LinkDeath.endAll(queue, cause, listener);
        }
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public boolean isAlive() {
        return death.get() == null;
    }

    @Override
    public Phase writtenPhase() {
        return channel().isWritable() ? Phase.AWAITING_REPLY : Phase.WRITTEN;
    }

    @Override
    public LinkSnapshot snapshot(Exchange<?> exchange, long nowNanos) {
        return new LinkSnapshot(
                queue.position(exchange),
                inFlight.get(),
                nowNanos - lastReadNanos,
                "event loop",
                eventLoop.heldUpNanos(nowNanos),
                timer.heldUpNanos(nowNanos));
    }

    @Override
    public boolean tick(long nowNanos) {
        timer.tick(nowNanos);
        Throwable cause = death.get();
        if (cause != null) {
            // The thread that ended it may not have got to the end, for lack of stack or memory.
            ticksAfterDeath++;
            endLife(cause);
            return ticksAfterDeath < TICKS_AFTER_DEATH;
        }
        try {
            tickAlive(nowNanos);
        } catch (Throwable e) {
            // Futures of commands that are over may not have been passed on.
            die(e);
        }
        return true;
    }

    private void tickAlive(long nowNanos) {
        eventLoop.expect(nowNanos);
        // Not on the event loop, which may be held up: commands end in time all the same.
        List<Exchange<?>> due = new ArrayList<>();
        queue.forEach(exchange -> {
            if (exchange.endIfDue(nowNanos)) {
                due.add(exchange);
            }
        });
        listener.settled(due);
        onEventLoop(() -> {
            eventLoop.tick(System.nanoTime());
            if (death.get() != null) {
                return;
            }
            switch (health.check(nowNanos, inFlight.get(), completed)) {
                case NOTHING -> {}
                case LOOK -> releaseLast();
                case HEARTBEAT -> send(new Exchange<>(new MetaNoop(), identity));
                case BURIAL ->
                    die(new IOException("no reply for "
                            + identity.options().livenessTimeout().toMillis() + " ms with commands in flight"));
            }
        });
    }

    @Override
    public void close() {
        die(new IOException("closed by this client"));
    }

    /** Waits for the socket. */
    @Override
    public void awaitClosed(long deadlineNanos) {
        channel().closeFuture().awaitUninterruptibly(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void onEventLoop(Runnable task) {
        try {
            channel().eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            // The event loop ends only after each of its links was closed.
        }
    }
}
