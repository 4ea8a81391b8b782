// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.TwemproxyProcess;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection to a twemproxy in front of two servers, found out to speak classic. */
@NeedsProgram(Program.NUTCRACKER)
@EachTransport
@Timeout(120)
class TwemproxyIT extends ConnectionFixture {

    private static final int KEYS = 100;

    TwemproxyIT(Transport transport) {
        super(transport, Protocol.AUTO);
    }

    private final EmbeddedMemcached[] servers = {EmbeddedMemcached.start(), EmbeddedMemcached.start()};

    private TwemproxyProcess twemproxy() {
        for (EmbeddedMemcached server : servers) {
            closedAfterwards(server);
        }
        return closedAfterwards(TwemproxyProcess.start(servers));
    }

    private static void multiSet(Connection connection) {
        List<CompletableFuture<StoreStatus>> stored = IntStream.range(0, KEYS / 2)
                .mapToObj(i -> future(connection, set("k" + 2 * i, "value of k" + 2 * i)))
                .toList();
        stored.forEach(status -> assertThat(result(status)).isEqualTo(StoreStatus.DONE));
    }

    private static MetaMultiGet<String> getMany() {
        List<String> keys = IntStream.range(0, KEYS).mapToObj(i -> "k" + i).toList();
        return new MetaMultiGet<>(keys, (data, flags, cas) -> new String(data, UTF_8));
    }

    @Test
    void valuesOfManyKeysOfSeveralServersGoToTheirKeys() {
        Connection connection = connect(twemproxy());
        multiSet(connection);
        Map<String, String> expected = new LinkedHashMap<>();
        for (int i = 0; i < KEYS; i += 2) {
            expected.put("k" + i, "value of " + "k" + i);
        }

        List<CompletableFuture<FoundItems<String>>> futures = IntStream.range(0, 20)
                .mapToObj(i -> future(connection, getMany()))
                .toList();
        futures.forEach(values -> assertThat(result(values).hits()).isEqualTo(expected));
    }

    @Test
    void lossOfOneServerFailsItsKeysTypedAndNoOthers() {
        Connection connection = connect(twemproxy());
        multiSet(connection);
        servers[1].close();

        int found = 0;
        int failed = 0;
        for (int i = 0; i < KEYS; i += 2) {
            try {
                assertThat(connection.call(get("k" + i), LONG_NANOS)).isEqualTo("value of " + "k" + i);
                found++;
            } catch (MemcachedServerException e) {
                assertThat(e).hasMessageContaining("SERVER_ERROR");
                failed++;
            }
        }
        assertThat(found).isPositive();
        assertThat(failed).isPositive();
        assertThat(connection.call(getMany(), LONG_NANOS).errors()).isNotEmpty();
    }

    @Test
    void writeThatTimedOutInTheProxyMayBeExecutedLater() throws IOException {
        FaultProxy network = closedAfterwards(new FaultProxy(servers[0].address()));
        closedAfterwards(servers[0]);
        Connection connection = connect(closedAfterwards(TwemproxyProcess.start(reachedOver(network))));
        assertThat(connection.call(set("k", "old"), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        Connection direct = connect(servers[0]);

        network.stall(true);
        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> connection.call(set("k", "new"), LONG_NANOS))
                .withMessageContaining("SERVER_ERROR")
                .matches(failure -> !failure.isSafeToRetry());
        assertThat(direct.call(get("k"), LONG_NANOS)).isEqualTo("old");

        network.heal();
        eventually("the write", () -> "new".equals(direct.call(get("k"), LONG_NANOS)));
    }

    private static MemcachedServer reachedOver(FaultProxy network) {
        return new MemcachedServer() {
            @Override
            public String host() {
                return network.address().getHostString();
            }

            @Override
            public int port() {
                return network.address().getPort();
            }

            @Override
            public String description() {
                return "a server behind " + network.address();
            }

            @Override
            public void close() {
                network.close();
            }
        };
    }

    @Test
    void connectionOpensWhileAServerOfTheProxyIsDown() {
        servers[0].close();
        servers[1].close();
        Connection connection = connect(twemproxy());

        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS))
                .withMessageContaining("SERVER_ERROR");
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void classicIsUsedDespiteHangUpsOnAnySockets() throws IOException {
        TwemproxyProcess twemproxy = twemproxy();
        for (int sockets : firstSockets().toArray()) {
            assertThat(speaksMeta(connect(hangingUpOn(sockets, 0, twemproxy.address()))))
                    .as("hang-ups on " + Integer.toBinaryString(sockets))
                    .isFalse();
        }
    }
}
