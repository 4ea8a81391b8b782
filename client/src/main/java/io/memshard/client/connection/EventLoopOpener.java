package io.memshard.client.connection;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@link EventLoopLink}s on event loops of its own: native epoll where it loads, NIO elsewhere.
 *
 * <p>Threading: thread-safe. Owns its daemon threads, {@code memshard-io-*}.
 */
final class EventLoopOpener implements LinkOpener, AutoCloseable {

    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 * 1024, 256 * 1024);
    private static final long SHUTDOWN_MILLIS = 2_000;

    private final int threads;

    /** Guarded by this. */
    private @Nullable Loops loops;

    /** Guarded by this. */
    private boolean closed;

    private record Loops(EventLoopGroup group, Class<? extends SocketChannel> channelType) {}

    EventLoopOpener(int threads) {
        this.threads = threads;
    }

    /** Starts the event loops. */
    @Override
    public void prepare() {
        loops();
    }

    private synchronized Loops loops() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        Loops started = loops;
        if (started == null) {
            boolean epoll = Epoll.isAvailable();
            IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
            started = new Loops(
                    new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("memshard-io", true), handlers),
                    epoll ? EpollSocketChannel.class : NioSocketChannel.class);
            loops = started;
        }
        return started;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for a socket to be closed.
    public Link open(InetSocketAddress address, LinkIdentity identity, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException {
        Loops started = loops();
        EventLoopLink link = new EventLoopLink(identity, listener);
        int timeoutMillis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
        ChannelFuture connecting = new Bootstrap()
                .group(started.group)
                .channel(started.channelType)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                .handler(link)
                .connect(address);
        try {
            connecting.await();
        } catch (InterruptedException e) {
            connecting.channel().close();
            throw e;
        }
        if (!connecting.isSuccess()) {
            throw asIoException(connecting.cause());
        }
        return link;
    }

    private static IOException asIoException(Throwable cause) {
        if (cause instanceof IOException io) {
            return io;
        }
        ConnectException wrapped = new ConnectException(LinkDeath.describe(cause));
        wrapped.initCause(cause);
        return wrapped;
    }

    @Override
    public void close() {
        Loops started;
        synchronized (this) {
            closed = true;
            started = loops;
        }
        if (started != null) {
            started.group
                    .shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS)
                    .awaitUninterruptibly(2 * SHUTDOWN_MILLIS);
        }
    }
}
