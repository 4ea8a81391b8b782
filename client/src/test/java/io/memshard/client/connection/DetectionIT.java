// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.Protocol;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which protocol is spoken over a network that hangs up on the sockets of a handshake. */
@MemcachedTest
@EachTransport
@Timeout(120)
class DetectionIT extends ConnectionFixture {

    private final MemcachedServer memcached;

    DetectionIT(Transport transport, MemcachedServer memcached) {
        super(transport, Protocol.AUTO);
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
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        List<Boolean> spoken = new ArrayList<>();
        for (int sockets : firstSockets().toArray()) {
            InetSocketAddress network = hangingUpOn(sockets, 0, server).address();
            spoken.add(speaksMeta(connect(group, new ServerAddress(network.getHostString(), network.getPort()))));
        }
        return spoken;
    }

    /** A hang-up on {@code mn}, of so many sockets: the first request of the first one, the second of the others. */
    private static FaultProxy.HangUp onMn(int sockets) {
        return (connection, request) -> connection < sockets && request == (connection == 0 ? 0 : 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void memcachedIsSpokenMetaWithAfterSoManyHangUpsOnMn(int hangUps) throws IOException {
        FaultProxy proxy = closedAfterwards(new FaultProxy(memcached.address()));
        proxy.hangUp(onMn(hangUps));

        assertThat(speaksMeta(connect(proxy))).isTrue();
        assertThat(proxy.accepted()).isEqualTo(hangUps + 1);
    }

    @Test
    void fourHangUpsInARowAreRememberedUntilAnAttemptFails() throws IOException {
        FaultProxy proxy = closedAfterwards(new FaultProxy(memcached.address()));
        proxy.hangUp(onMn(4));
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
