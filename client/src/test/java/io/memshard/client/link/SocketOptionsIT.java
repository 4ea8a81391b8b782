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
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The sockets of an event loop have TCP's options, and what a transport cannot do is refused. */
class SocketOptionsIT {

    private static final long TIMEOUT_NANOS = Duration.ofMinutes(1).toNanos();

    @Test
    void socketOfTheEventLoopHasThemAndNothingOfTls() throws Exception {
        assumeTrue(Epoll.isAvailable(), "Linux's native transport");
        ConnectionOptions options = ConnectionOptions.DEFAULTS;
        try (ScriptedServer server = ScriptedServer.start();
                EventLoopOpener opener = new EventLoopOpener(1, options)) {
            LinkContext context =
                    new LinkContext(new ServerAddress(server.host(), server.port()), 0, options, Protocol.META);
            InetSocketAddress address = server.address();
            EventLoopLink link = (EventLoopLink) opener.open(address, context, TIMEOUT_NANOS, (lost, cause) -> {});
            Channel channel = link.channel();

            assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
            assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
            assertThat(channel.pipeline().get(SslHandler.class)).isNull();
            link.close();
        }
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
    }
}
