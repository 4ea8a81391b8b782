// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.client.link.LinkContext;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.KeepAlive;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAccess;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The sockets of an event loop have the options that were asked for, and options that no socket takes are refused. */
class SocketOptionsIT {

    private static final KeepAlive KEEP_ALIVE = new KeepAlive(Duration.ofSeconds(77), Duration.ofMillis(6001), 5);
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(5).toNanos();

    @Test
    void socketOfTheEventLoopHasThemAndNothingOfTls() throws Exception {
        assumeTrue(Epoll.isAvailable(), "Linux's native transport");
        ServerAccess access = ServerAccess.PLAIN.withKeepAlive(KEEP_ALIVE).withTcpUserTimeout(Duration.ofMillis(4321));
        try (ScriptedServer server = ScriptedServer.start();
                EventLoopOpener opener = new EventLoopOpener(1, ConnectionOptions.DEFAULTS.withAccess(access))) {
            LinkContext context = new LinkContext(
                    new ServerAddress(server.host(), server.port()),
                    0,
                    ConnectionOptions.DEFAULTS.withAccess(access),
                    Protocol.META);
            InetSocketAddress address = server.address();
            EventLoopLink link = (EventLoopLink) opener.open(address, context, TIMEOUT_NANOS, (lost, cause) -> {});
            Channel channel = link.channel();

            assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
            assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
            assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPIDLE))
                    .isEqualTo(77);
            assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPINTVL))
                    .isEqualTo(7);
            assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPCNT))
                    .isEqualTo(5);
            assertThat(channel.config().getOption(EpollChannelOption.TCP_USER_TIMEOUT))
                    .isEqualTo(4321);
            assertThat(channel.pipeline().get(SslHandler.class)).isNull();
            link.close();
        }
    }

    @Test
    void valuesThatNoSocketTakesAreRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeepAlive(Duration.ZERO, second, 1))
                .withMessageContaining("keepAlive idle is PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeepAlive(second, Duration.ofDays(1), 1))
                .withMessageContaining("keepAlive interval is PT24H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeepAlive(second, second, 128))
                .withMessageContaining("keepAlive probes is 128");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAccess.PLAIN.withTcpUserTimeout(Duration.ofNanos(1)))
                .withMessageContaining("tcpUserTimeout is PT0.000000001S");
        for (Duration tooLong : new Duration[] {Duration.ofDays(24).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServerAccess.PLAIN.withTcpUserTimeout(tooLong))
                    .withMessage("tcpUserTimeout is " + tooLong + ": it is at least PT0.001S and at most PT576H");
        }
        assertThat(ServerAccess.PLAIN.withTcpUserTimeout(Duration.ofDays(24)).tcpUserTimeout())
                .isEqualTo(Duration.ofDays(24));
    }

    @Test
    void whatATransportCannotDoIsRefused() {
        ServerAddress server = new ServerAddress("localhost", 11211);
        ServerAccess tls = ServerAccess.PLAIN.withTls(TlsOptions.trustingSystem());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tls.check(server, Transport.CALLER_DRIVEN))
                .withMessageContaining("use AUTO or EVENT_LOOP");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tls.check(ServerAddress.parse("unix:/run/memcached.sock"), Transport.AUTO))
                .withMessageContaining("unix:/run/memcached.sock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAccess.PLAIN
                        .withTcpUserTimeout(Duration.ofSeconds(1))
                        .check(server, Transport.CALLER_DRIVEN))
                .withMessageContaining("use EVENT_LOOP");
    }
}
