// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.testkit.fault.ScriptedServer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class LinkSocketIT {

    private static final int MANY_BYTES = 64 << 20;
    private static final long SHORT_MILLIS = 20;
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final LargeBuffers largeBuffers = new LargeBuffers(1);
    private final ExecutorService readers = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        readers.shutdownNow();
    }

    /** Uses a socket, which the selector knows, and its peer. */
    private interface Use {

        void on(LinkSocket socket, Socket peer, Selector selector) throws Exception;
    }

    private void withPeer(Use use) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()); // It stays open.
                Selector selector = Selector.open()) {
            LinkSocket socket = LinkSocket.connect(server.getLocalSocketAddress(), LONG_NANOS, largeBuffers);
            try (Socket peer = server.accept()) {
                socket.register(selector, null);
                use.on(socket, peer, selector);
            } finally {
                socket.close();
            }
        }
    }

    private static Batch batch(RequestBuffer requests) {
        LinkContext context =
                new LinkContext(new ServerAddress("localhost", 11211), 0, new ConnectionOptions(), Protocol.META);
        return new Batch(requests, new ExchangeQueue(context), skipped -> {});
    }

    /** Waits as {@link LinkReader} does, which looks at the readiness of sockets that it has just selected. */
    private static boolean becomesWritable(Selector selector, LinkSocket socket) throws IOException {
        return selector.select(key -> {}, SHORT_MILLIS) > 0 && socket.isWritable();
    }

    /** Otherwise a thread that waits for room would find it again and again, and would never sleep. */
    @Test
    void socketIsNotReportedWritableWhenItIsFullAgain() throws Exception {
        withPeer((socket, peer, selector) -> {
            socket.write(batch(new RequestBuffer().append(new byte[MANY_BYTES])));
            assertThat(socket.flush()).as("the peer reads nothing").isFalse();
            assertThat(becomesWritable(selector, socket)).as("not asked for").isFalse();
            socket.selectWritable(true);
            while (!becomesWritable(selector, socket)) {
                assertThat(peer.getInputStream().read(new byte[64 * 1024])).isPositive();
            }
            do {
                assertThat(socket.flush()).as("64 MiB fit into no socket").isFalse();
            } while (becomesWritable(selector, socket));
        });
    }

    /** A caller may change its array after its time-out, or after an early reply, while others' bytes are written. */
    @ParameterizedTest
    @ValueSource(ints = {5_000, 300_000, 2_000_000, 12_000_000})
    void laterChangesOfTheArrayAreNotWritten(int length) throws Exception {
        withPeer((socket, peer, selector) -> {
            byte[] value = new byte[length];
            new Random(length).nextBytes(value);
            byte[] before = value.clone();
            for (int batch = 0; batch < 3; batch++) {
                RequestBuffer requests =
                        new RequestBuffer().append('<').append(value).append('>');
                socket.write(batch(requests));
                assertThat(requests.length()).isZero();
                Arrays.fill(value, (byte) '?');
                Future<byte[]> received =
                        readers.submit(() -> peer.getInputStream().readNBytes(length + 2));
                while (!socket.flush()) {
                    socket.selectWritable(true);
                    selector.select(key -> {}, SHORT_MILLIS);
                }
                byte[] bytes = received.get(LONG_NANOS, TimeUnit.NANOSECONDS);
                assertThat(bytes[0]).isEqualTo((byte) '<');
                assertThat(Arrays.mismatch(bytes, 1, length + 1, before, 0, length))
                        .isEqualTo(-1);
                assertThat(bytes[length + 1]).isEqualTo((byte) '>');
                System.arraycopy(before, 0, value, 0, length);
            }
        });
    }

    /** Otherwise the next bytes would be taken for those in the middle of a value. */
    @Test
    void bytesThatAnErrorHasLeftUndecodedAreNotReplacedByTheNext() throws Exception {
        withPeer((socket, peer, selector) -> {
            peer.getOutputStream().write(new byte[] {'H', 'D', '\r', '\n'});
            selector.select(key -> {});
            ReplyBuffer replies = new ReplyBuffer(1, false);
            assertThat(socket.read(replies)).isEqualTo(4);
            assertThatThrownBy(() -> socket.read(replies))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("4 bytes");

            assertThat(replies.nextLine()).isTrue();
            assertThat(socket.read(replies)).isZero();
        });
    }

    @Test
    void socketHasTheOptionsOfTcp() throws IOException {
        try (ScriptedServer server = ScriptedServer.start();
                SocketChannel channel = SocketChannel.open()) {
            LinkSocket.connectTcp(channel, server.address(), LONG_NANOS);

            assertThat(channel.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        }
    }

    @Test
    void socketOfTheEventLoopHasThemTooAndNothingOfTls() throws Exception {
        assumeTrue(Epoll.isAvailable(), "Linux's native transport");
        ConnectionOptions options = new ConnectionOptions();
        try (ScriptedServer server = ScriptedServer.start();
                EventLoopOpener opener = new EventLoopOpener(1, options)) {
            LinkContext context =
                    new LinkContext(new ServerAddress(server.host(), server.port()), 0, options, Protocol.META);
            InetSocketAddress address = server.address();
            EventLoopLink link = (EventLoopLink) opener.open(address, context, LONG_NANOS, (lost, cause) -> {});
            Channel channel = link.channel();

            assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
            assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
            assertThat(channel.pipeline().get(SslHandler.class)).isNull();
            link.close();
        }
    }
}
