// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinkSocketIT {

    private static final int MANY_BYTES = 64 << 20;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static RequestBuffer manyBytes() {
        return new RequestBuffer().append(new byte[MANY_BYTES]);
    }

    /** Or else who waits for room finds it there for ever, and never sleeps. */
    @Test
    void roomToWriteThatHasGoneIsNotThereAnyMore() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LinkSocket socket =
                    LinkSocket.connect(server.getLocalSocketAddress(), LONG_NANOS, ConnectionOptions.DEFAULTS);
            try (Socket peer = server.accept()) {
                socket.write(manyBytes());
                assertThat(socket.flush()).as("the peer reads nothing").isFalse();
                while (!socket.await(SHORT_NANOS, true)) {
                    assertThat(peer.getInputStream().read(new byte[64 * 1024])).isPositive();
                }
                do {
                    assertThat(socket.flush()).as("64 MiB fit into no socket").isFalse();
                } while (socket.await(SHORT_NANOS, true));
                socket.wakeUp();

                assertThat(socket.await(LONG_NANOS, true)).isFalse();
            } finally {
                socket.close();
            }
        }
    }

    @Test
    void socketHasTheOptionsThatWereAskedFor() throws IOException {
        try (ScriptedServer server = ScriptedServer.start();
                SocketChannel channel = SocketChannel.open()) {
            LinkSocket.connectTcp(
                    channel,
                    server.address(),
                    LONG_NANOS,
                    ConnectionOptions.builder()
                            .keepAlive(Duration.ofSeconds(77), Duration.ofMillis(6001), 5)
                            .build());

            assertThat(channel.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(77);
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL))
                    .isEqualTo(7);
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isEqualTo(5);
        }
    }
}
