// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.Memshard;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpymemcachedConnectionsTest {

    private final LeakCheck leakCheck = LeakCheck.start("Memcached IO");
    private final ScriptedServer server = ScriptedServer.start();
    private final MemshardOptions options = Memshard.builder()
            .servers(server.host() + ':' + server.port())
            .requestTimeout(Duration.ofSeconds(30))
            .connectTimeout(Duration.ofSeconds(30))
            .connectionsPerServer(2)
            .chooser(ConnectionChooser.roundRobin())
            .unwrap(MemshardOptions.class);

    @AfterEach
    void stop() {
        server.close();
        leakCheck.assertNothingLeft();
    }

    private static ScriptedConnection answered(ScriptedConnection connection) throws IOException {
        return connection.expectLine("version").send("VERSION 1.6.18\r\n");
    }

    @Test
    void theChooserSkipsAConnectionThatIsDown() {
        server.onConnection(c -> answered(c).expectLine("get a").cut());
        server.onConnection(c -> answered(c).replyTo(line -> "END\r\n"));
        try (EngineConnections connections = new SpymemcachedConnections(options)) {
            assertThatThrownBy(() -> connections.get(0, "a")).isInstanceOf(MemcachedConnectionException.class);
            for (int i = 0; i < 4; i++) {
                assertThat(connections.choose()).isEqualTo(1);
            }
            assertThat(connections.get(1, "b")).isNull();
        }
    }

    @Test
    void aServerThatRefusesFailsOpeningWithAddressAndCause() {
        server.close();
        assertThatThrownBy(() -> new SpymemcachedConnections(options))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("127.0.0.1:" + server.port())
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void aConnectionThatCannotBeOpenedClosesEarlierOnes() {
        server.onConnection(c -> answered(c));
        server.onConnection(c -> c.expectLine("version").send("ERROR\r\n"));
        assertThatThrownBy(() -> new SpymemcachedConnections(options)).hasMessageContaining(server.port() + "[1]");
    }
}
