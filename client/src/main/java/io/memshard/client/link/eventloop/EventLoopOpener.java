package io.memshard.client.link.eventloop;

import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.options.KeepAlive;
import io.memshard.client.options.ServerAccess;
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
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
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
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens {@link EventLoopLink}s on event loops of its own: native epoll where it loads, NIO elsewhere. With TLS a link
 * is opened when the handshake is over; without, nothing of TLS is in its channel.
 *
 * <p>Threading: thread-safe. Owns its daemon threads, {@code memshard-io-*}.
 */
public final class EventLoopOpener implements LinkOpener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoopOpener.class);

    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 * 1024, 256 * 1024);
    private static final long SHUTDOWN_MILLIS = 2_000;

    /** How long closing waits for the last TLS record to leave, which a peer that is gone does not take. */
    private static final long CLOSE_NOTIFY_MILLIS = 200;

    private final int threads;
    private final ServerAccess access;
    private final @Nullable TlsEngines engines;

    /** Guarded by this. */
    private @Nullable Loops loops;

    /** Guarded by this. */
    private boolean closed;

    private record Loops(EventLoopGroup group, boolean epoll) {

        Class<? extends Channel> channelType(boolean unix) {
            if (unix) {
                return epoll ? EpollDomainSocketChannel.class : NioDomainSocketChannel.class;
            }
            return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
        }
    }

    public EventLoopOpener(int threads, ServerAccess access) {
        this.threads = threads;
        this.access = access;
        this.engines = access.tls() == null ? null : new TlsEngines(access.tls());
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
            started = new Loops(new MultiThreadIoEventLoopGroup(threads, new EventLoopThreads(), handlers), epoll);
            loops = started;
            if (access.tcpUserTimeout() != null && !epoll) {
                LOG.warn(
                        "tcpUserTimeout is {} and has no effect: Linux's native transport does not load here",
                        access.tcpUserTimeout(),
                        Epoll.unavailabilityCause());
            }
        }
        return started;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for a socket to be closed.
    public Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeoutNanos;
        Loops started = loops();
        EventLoopLink link = new EventLoopLink(context, listener);
        SslHandler tls = tlsHandler(context.server());
        ChannelFuture connecting = bootstrap(started, address, timeoutNanos)
                .handler(tls == null ? link.handler() : behindTls(tls, link, context.server()))
                .connect(asNettyAddress(started, address));
        boolean opened = false;
        try {
            connecting.await();
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

    private Bootstrap bootstrap(Loops started, SocketAddress address, long timeoutNanos) {
        boolean unix = address instanceof UnixDomainSocketAddress;
        Bootstrap bootstrap = new Bootstrap()
                .group(started.group)
                .channel(started.channelType(unix))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        if (!unix) {
            bootstrap.option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true);
            setTcpTimeouts(bootstrap, started.epoll);
        }
        return bootstrap;
    }

    private void setTcpTimeouts(Bootstrap bootstrap, boolean epoll) {
        KeepAlive keepAlive = access.keepAlive();
        if (keepAlive != null) {
            bootstrap
                    .option(
                            epoll
                                    ? EpollChannelOption.TCP_KEEPIDLE
                                    : NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
                            keepAlive.idleSeconds())
                    .option(
                            epoll
                                    ? EpollChannelOption.TCP_KEEPINTVL
                                    : NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
                            keepAlive.intervalSeconds())
                    .option(
                            epoll
                                    ? EpollChannelOption.TCP_KEEPCNT
                                    : NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT),
                            keepAlive.probes());
        }
        Duration userTimeout = access.tcpUserTimeout();
        if (userTimeout != null && epoll) {
            bootstrap.option(EpollChannelOption.TCP_USER_TIMEOUT, (int) userTimeout.toMillis());
        }
    }

    private static SocketAddress asNettyAddress(Loops started, SocketAddress address) {
        return started.epoll && address instanceof UnixDomainSocketAddress unix
                ? new DomainSocketAddress(unix.getPath().toFile())
                : address;
    }

    private @Nullable SslHandler tlsHandler(ServerAddress server) throws IOException {
        if (engines == null) {
            return null;
        }
        SslHandler handler = new SslHandler(engines.newEngine(server.host(), server.port()));
        handler.setWrapDataSize(0); // A buffer is written as it is, in records of its own.
        handler.setHandshakeTimeoutMillis(0); // The deadline of the attempt is awaited below.
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
                    "the TLS handshake was not over in time: does the server speak TLS on this port?");
        }
        if (!handshake.isSuccess()) {
            throw asIoException(TlsFailure.explained(handshake.cause(), tlsOptions(), server.host()));
        }
    }

    private TlsOptions tlsOptions() {
        return Objects.requireNonNull(access.tls(), "tls");
    }

    private static IOException asIoException(Throwable cause) {
        if (cause instanceof IOException io) {
            return io;
        }
        ConnectException wrapped = new ConnectException(LinkFailure.describe(cause));
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
