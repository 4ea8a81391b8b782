// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import io.memshard.testkit.embedded.Sessions;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Memcached inside this JVM, by default on an ephemeral port of the loopback address. The server speaks the meta and
 * the classic text protocol, and evicts the least recently used items when its memory is full.
 *
 * <p>The server is for unit tests and machines without a memcached. Except for the texts of errors, its replies to
 * these commands equal those of memcached 1.6.18 byte for byte:
 *
 * <ul>
 *   <li>{@code mg ms md ma mn me}, with three flags of later versions: {@code E}, {@code x} of {@code md}, and {@code
 *       N} of an {@code ms} that appends or prepends;
 *   <li>{@code get gets gat gats set add replace append prepend cas delete incr decr touch};
 *   <li>{@code flush_all verbosity quit}, and {@code version}, whose reply has the version of this server;
 *   <li>{@code stats} and {@code stats settings}, with only some of memcached's statistics, and {@code stats reset}.
 * </ul>
 *
 * <p>The server answers {@code ERROR} to all other commands, such as {@code slabs}, {@code lru}, {@code watch} and
 * {@code cache_memlimit}. TLS, UDP and the binary protocol are not supported. The server has one list of items instead
 * of slab classes, so the server may evict other items than memcached does.
 *
 * <p>Threading: thread-safe. One event-loop thread serves all connections, so all commands are executed one after
 * another. Failure: {@link Builder#start()} throws {@link IllegalStateException} if the port cannot be bound.
 */
public final class EmbeddedMemcached implements MemcachedServer {

    private static final int SHUTDOWN_SECONDS = 60;

    /** Number of bytes that memcached reads at once. */
    private static final int READ_BYTES = 16 * 1024;

    private final EventLoopGroup eventLoop;
    private final ChannelGroup connections;
    private final InetSocketAddress address;

    private EmbeddedMemcached(Builder builder) {
        Sessions sessions = new Sessions(builder.clock, builder.maxBytes, builder.itemSizeLimit, builder.users);
        connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        eventLoop = newEventLoop();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(eventLoop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connections.add(channel);
                        channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
                        channel.pipeline().addLast(sessions.newSession());
                    }
                });
        Channel listener = bind(bootstrap, builder.port);
        connections.add(listener);
        address = (InetSocketAddress) listener.localAddress();
    }

    @SuppressWarnings("deprecation") // Netty 4.1 lacks the replacement in 4.2.
    private static EventLoopGroup newEventLoop() {
        return new NioEventLoopGroup(1, new DefaultThreadFactory("embedded-memcached", true));
    }

    private Channel bind(ServerBootstrap bootstrap, int port) {
        ChannelFuture bound =
                bootstrap.bind(InetAddress.getLoopbackAddress(), port).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stopEventLoop();
            throw new IllegalStateException("cannot listen on port " + port, bound.cause());
        }
        return bound.channel();
    }

    /** Starts a server with the limits that memcached has by default: 64 MiB of memory, and 1 MiB for each item. */
    public static EmbeddedMemcached start() {
        return builder().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String host() {
        return address.getAddress().getHostAddress();
    }

    @Override
    public int port() {
        return address.getPort();
    }

    @Override
    public String description() {
        return "embedded memcached " + Sessions.VERSION + " on " + host() + ":" + port();
    }

    /** Removes all items by {@code flush_all}. Throws an exception if the server requires authentication. */
    public void flushAll() {
        try {
            VersionProbe.flushAll(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the listener and all connections, and waits until the thread has stopped. */
    @Override
    public void close() {
        connections.close().awaitUninterruptibly(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        stopEventLoop();
    }

    private void stopEventLoop() {
        eventLoop
                .shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public String toString() {
        return description();
    }

    /** Builder of an {@link EmbeddedMemcached}. Confined to one thread. */
    public static final class Builder {

        private static final long DEFAULT_MAX_BYTES = 64L << 20;
        private static final int DEFAULT_ITEM_SIZE_LIMIT = 1 << 20;
        private static final int SMALLEST_ITEM_SIZE_LIMIT = 1 << 10;

        private long maxBytes = DEFAULT_MAX_BYTES;
        private int itemSizeLimit = DEFAULT_ITEM_SIZE_LIMIT;
        private final Map<String, String> users = new HashMap<>();
        private int port;
        private InstantSource clock = InstantSource.system();

        private Builder() {}

        /**
         * Limits the memory of all items with their keys and headers, like memcached's {@code -m}. The limit is in
         * bytes; by default 64 MiB.
         */
        public Builder maxBytes(long maxBytes) {
            if (maxBytes < 1) {
                throw new IllegalArgumentException("maxBytes is " + maxBytes + ", but must be at least 1");
            }
            this.maxBytes = maxBytes;
            return this;
        }

        /**
         * Limits the size of an item with its key and header, like memcached's {@code -I}. The limit is in bytes, at
         * least 1024; by default 1 MiB.
         */
        public Builder itemSizeLimit(int itemSizeLimit) {
            if (itemSizeLimit < SMALLEST_ITEM_SIZE_LIMIT) {
                throw new IllegalArgumentException("itemSizeLimit is " + itemSizeLimit + ", but must be at least 1024");
            }
            this.itemSizeLimit = itemSizeLimit;
            return this;
        }

        /**
         * Adds a user, or changes the user's password. Once a user exists, clients must authenticate, as with
         * memcached's {@code -Y}.
         *
         * @param name name of the user, not empty, without spaces and colons
         * @param password password of the user, not empty, without spaces
         */
        public Builder user(String name, String password) {
            if (!name.matches("[^\\s:]+") || !password.matches("\\S+")) {
                throw new IllegalArgumentException("name and password must not be empty or have spaces, and the name"
                        + " must have no colon; the name was \"" + name + "\"");
            }
            users.put(name, password);
            return this;
        }

        /** Sets the port, at most 65535; by default 0, which selects a free port. */
        public Builder port(int port) {
            this.port = new InetSocketAddress(port).getPort(); // checks the range
            return this;
        }

        /**
         * Sets the clock by which items expire. The server's thread reads the clock at each command. By default, the
         * server uses the system's clock.
         */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock is null");
            return this;
        }

        /** Starts the server. The server accepts connections when this method returns. */
        public EmbeddedMemcached start() {
            return new EmbeddedMemcached(this);
        }
    }
}
