// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opener of {@link EventLoopLink}s, which owns their {@link EventLoops}. Threading: thread-safe. */
public final class EventLoopOpener implements LinkOpener {

    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 * 1024, 256 * 1024);
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Time limit for the close_notify record, which an unreachable server never accepts. */
    private static final long CLOSE_NOTIFY_MILLIS = 200;

    private final ConnectionOptions options;
    private final EventLoops loops;
    private final @Nullable TlsEngines engines;

    public EventLoopOpener(int threads, ConnectionOptions options) {
        this.options = options;
        this.loops = new EventLoops(threads, options.livenessTimeout.toNanos());
        this.engines = options.tls == null ? null : checkedEngines(options.tls);
    }

    private static TlsEngines checkedEngines(TlsOptions tls) {
        TlsEngines engines = new TlsEngines(tls);
        try {
            engines.check();
        } catch (IOException e) {
            throw new IllegalArgumentException("tls: " + LinkFailure.describe(e), e);
        }
        return engines;
    }

    @Override
    public void prepare() {
        WatchedLoop.isEpoll();
    }

    @Override
    public boolean isIoThread() {
        return EventLoops.ofThisThread() == loops;
    }

    private static Class<? extends Channel> channelType(boolean unix) {
        if (unix) {
            return WatchedLoop.isEpoll() ? EpollDomainSocketChannel.class : NioDomainSocketChannel.class;
        }
        return WatchedLoop.isEpoll() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // No thread waits for the socket to be closed.
    public Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeoutNanos;
        WatchedLoop loop = loops.next();
        EventLoopLink link = new EventLoopLink(context, listener, loop);
        SslHandler tls = tlsHandler(context.server());
        ChannelFuture connecting = bootstrap(loop, address, timeoutNanos)
                .handler(tls == null ? link.handler() : behindTls(tls, link, context.server()))
                .connect(asNettyAddress(address));
        boolean opened = false;
        try {
            if (!connecting.await(Math.max(0, timeoutNanos) + GRACE_NANOS, TimeUnit.NANOSECONDS)) {
                throw new SocketTimeoutException("the event loop " + loop.whyBlocked());
            }
            if (!connecting.isSuccess()) {
                throw asIoException(connecting.cause());
            }
            if (tls != null) {
                awaitHandshake(tls.handshakeFuture(), context.server(), deadline);
            }
            opened = true;
            return link;
        } finally {
            if (!opened) {
                connecting.channel().close();
            }
        }
    }

    private Bootstrap bootstrap(WatchedLoop loop, SocketAddress address, long timeoutNanos) {
        boolean unix = address instanceof UnixDomainSocketAddress;
        Bootstrap bootstrap = new Bootstrap()
                .group(loop.group())
                .channel(channelType(unix))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        if (!unix) {
            bootstrap.option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true);
        }
        return bootstrap;
    }

    private static SocketAddress asNettyAddress(SocketAddress address) {
        return WatchedLoop.isEpoll() && address instanceof UnixDomainSocketAddress unix
                ? new DomainSocketAddress(unix.getPath().toFile())
                : address;
    }

    private @Nullable SslHandler tlsHandler(ServerAddress server) throws IOException {
        if (engines == null) {
            return null;
        }
        SslHandler handler = new SslHandler(engines.newEngine(server.host(), server.port()));
        handler.setWrapDataSize(0); // Each buffer then becomes TLS records of its own.
        handler.setHandshakeTimeoutMillis(0); // awaitHandshake applies the deadline.
        handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
        return handler;
    }

    private ChannelHandler behindTls(SslHandler tls, EventLoopLink link, ServerAddress server) {
        ChannelHandler failures = new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                context.fireExceptionCaught(TlsFailure.explained(cause, tlsOptions(), server.host()));
            }
        };
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(tls, failures, link.handler());
            }
        };
    }

    private void awaitHandshake(Future<Channel> handshake, ServerAddress server, long deadlineNanos)
            throws IOException, InterruptedException {
        if (!handshake.await(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
            throw new SocketTimeoutException(
                    "the TLS handshake did not complete in time: does the server speak TLS on this port?");
        }
        if (!handshake.isSuccess()) {
            throw asIoException(TlsFailure.explained(handshake.cause(), tlsOptions(), server.host()));
        }
    }

    private TlsOptions tlsOptions() {
        return Objects.requireNonNull(options.tls, "tls is null");
    }

    private static IOException asIoException(Throwable cause) {
        if (cause instanceof IOException io) {
            return io;
        }
        ConnectException wrapped = new ConnectException(LinkFailure.describe(cause));
        wrapped.initCause(cause);
        return wrapped;
    }

    public void tick(long nowNanos) {
        loops.tick(nowNanos);
    }

    @Override
    public void close() {
        loops.close();
    }
}
