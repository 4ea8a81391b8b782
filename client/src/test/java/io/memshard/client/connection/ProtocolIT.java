// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of which protocol is spoken, in plain text, and over a network that hangs up. */
@MemcachedTest
@EachTransport
class ProtocolIT extends ProtocolContract {

    private final MemcachedServer memcached;

    ProtocolIT(Transport transport, MemcachedServer memcached) {
        super(transport);
        this.memcached = memcached;
    }

    @Test
    void memcachedIsSpokenMetaWithWhicheverSocketsAreHungUpOn() throws IOException {
        assertThat(spokenMetaWith(memcached.address())).containsOnly(true);
    }

    @Test
    void memcachedWithoutMetaIsSpokenClassicWithDespiteHangUps() throws IOException {
        ScriptedServer old = scriptedServer()
                .onConnection(c -> c.replyTo(line -> line.startsWith("get ") ? "END\r\n" : "ERROR\r\n"));

        assertThat(spokenMetaWith(old.address())).containsOnly(false);
    }

    private List<Boolean> spokenMetaWith(InetSocketAddress server) throws IOException {
        ConnectionGroup group = group();
        List<Boolean> spoken = new ArrayList<>();
        for (int sockets : firstSockets().toArray()) {
            InetSocketAddress network = hangingUpOn(sockets, 0, server).address();
            spoken.add(speaksMeta(connect(group, new ServerAddress(network.getHostString(), network.getPort()))));
        }
        return spoken;
    }

    @Test
    void fourHangUpsInARowAreRememberedUntilAnAttemptFails() throws IOException {
        FaultProxy proxy = closedAfterwards(new FaultProxy(memcached.address()));
        // On mn: the first request of the first socket, the second of the others.
        proxy.hangUp((number, request) -> number < 4 && request == (number == 0 ? 0 : 1));
        Connection connection = connect(proxy);
        assertThat(speaksMeta(connection)).isFalse();

        proxy.cutAll();
        noticeLoss(connection);
        eventually("reconnected", () -> proxy.accepted() == 6);
        assertThat(speaksMeta(connection)).isFalse();

        proxy.hangUp((number, request) -> number == 6);
        proxy.cutAll();
        noticeLoss(connection);
        eventually("meta is spoken", () -> speaksMeta(connection));
    }
}
