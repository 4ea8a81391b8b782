// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that closes idle connections costs no command its answer. */
@NeedsProgram(Program.MEMCACHED)
@EachTransport
@Timeout(120)
class IdleTimeoutIT extends ConnectionFixture {

    private MemcachedProcess memcached;

    IdleTimeoutIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @BeforeEach
    void start() {
        memcached = MemcachedProcess.start("-o", "idle_timeout=1");
    }

    @AfterEach
    void stop() {
        memcached.close();
    }

    @Test
    void idleConnectionIsReplacedBeforeAnybodyMissesIt() throws Exception {
        FaultProxy counted = closedAfterwards(new FaultProxy(memcached.address()));
        Connection connection = connect(counted);
        for (int i = 0; i < 3; i++) {
            assertThat(connection.call(set("idle", "value " + i), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
            int before = counted.accepted();
            eventually("closed by the server and opened again", () -> counted.accepted() > before);
            CompletableFuture<String> value = future(connection, get("idle"));

            assertThat(result(value)).isEqualTo("value " + i);
            assertThat(connection.isReady()).isTrue();
        }
    }

    @Test
    void heartbeatsKeepAConnectionBelowTheTimeout() throws Exception {
        FaultProxy kept = closedAfterwards(new FaultProxy(memcached.address()));
        FaultProxy replaced = closedAfterwards(new FaultProxy(memcached.address()));
        settings.heartbeatInterval(Duration.ofMillis(200));
        connect(kept).call(get("idle"), LONG_NANOS);
        settings.heartbeatInterval(LONG);
        connect(replaced).call(get("idle"), LONG_NANOS);

        eventually("the silent one is replaced", () -> replaced.accepted() >= 3);
        // On a busy machine a heartbeat may be late too.
        assertThat(kept.accepted()).isLessThan(replaced.accepted());
    }

    private static ServerAddress address(FaultProxy proxy) {
        return new ServerAddress("127.0.0.1", proxy.address().getPort());
    }
}
