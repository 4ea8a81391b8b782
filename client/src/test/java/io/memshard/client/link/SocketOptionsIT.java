// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
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

    private static final long TIMEOUT_NANOS = Duration.ofMinutes(1).toNanos();

    @Test
    void socketOfTheEventLoopHasThemAndNothingOfTls() throws Exception {
        assumeTrue(Epoll.isAvailable(), "Linux's native transport");
        ConnectionOptions options = ConnectionOptions.builder()
                .keepAlive(Duration.ofSeconds(77), Duration.ofMillis(6001), 5)
                .tcpUserTimeout(Duration.ofMillis(4321))
                .build();
        try (ScriptedServer server = ScriptedServer.start();
                EventLoopOpener opener = new EventLoopOpener(1, options)) {
            LinkContext context =
                    new LinkContext(new ServerAddress(server.host(), server.port()), 0, options, Protocol.META);
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
        ConnectionOptions.Builder settings = ConnectionOptions.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.keepAlive(Duration.ZERO, second, 1))
                .withMessageContaining("keepAlive idle is PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.keepAlive(second, Duration.ofDays(1), 1))
                .withMessageContaining("keepAlive interval is PT24H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.keepAlive(second, second, 128))
                .withMessageContaining("keepAlive probes is 128");
        assertThat(settings.build()).isEqualTo(ConnectionOptions.DEFAULTS);
        for (Duration bad : new Duration[] {
            Duration.ZERO, Duration.ofNanos(1), Duration.ofDays(24).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> settings.tcpUserTimeout(bad))
                    .withMessage("tcpUserTimeout is " + bad + ": it is at least PT0.001S and at most PT576H");
        }
        assertThat(settings.tcpUserTimeout(Duration.ofDays(24)).build().tcpUserTimeout())
                .isEqualTo(Duration.ofDays(24));
    }

    @Test
    void whatATransportCannotDoIsRefused() {
        ServerAddress server = new ServerAddress("localhost", 11211);
        ConnectionOptions tls =
                ConnectionOptions.builder().tls(TlsOptions.trustingSystem()).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tls.check(server, Transport.CALLER_DRIVEN))
                .withMessageContaining("use AUTO or EVENT_LOOP");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tls.check(ServerAddress.parse("unix:/run/memcached.sock"), Transport.AUTO))
                .withMessageContaining("unix:/run/memcached.sock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionOptions.builder()
                        .tcpUserTimeout(Duration.ofSeconds(1))
                        .build()
                        .check(server, Transport.CALLER_DRIVEN))
                .withMessageContaining("use EVENT_LOOP");
    }
}
