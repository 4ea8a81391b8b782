// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection over a Unix domain socket is like any other. */
@NeedsProgram(Program.MEMCACHED)
@EachTransport
@Timeout(120)
class UnixSocketIT extends ConnectionFixture {

    @TempDir
    Path directory;

    private MemcachedProcess memcached;
    private ServerAddress address;

    UnixSocketIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @BeforeEach
    void start() {
        Path socket = directory.resolve("memcached.sock");
        memcached = MemcachedProcess.startOnUnixSocket(socket);
        address = ServerAddress.parse("unix:" + socket);
    }

    @AfterEach
    void stop() {
        memcached.close();
    }

    @Test
    void commandsOfAllSizesAreExecuted() {
        Connection connection = connect(address);
        List<CompletableFuture<StoreStatus>> stored = IntStream.range(0, 300)
                .mapToObj(i -> future(connection, set("unix" + i, "value " + i)))
                .toList();
        String large = "x".repeat(1_000_000);

        stored.forEach(status -> assertThat(result(status)).isEqualTo(StoreStatus.DONE));
        for (int i = 0; i < 300; i++) {
            assertThat(connection.call(get("unix" + i), LONG_NANOS)).isEqualTo("value " + i);
        }
        assertThat(connection.call(set("large", large), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        assertThat(connection.call(get("large"), LONG_NANOS)).isEqualTo(large);
        assertThat(connection).hasToString(address + "[0] READY");
    }

    @Test
    void serverThatIsRestartedIsFoundAgain() {
        Connection connection = connect(address);
        assertThat(connection.call(set("unix", "before"), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        memcached.restart();

        eventually("works again", () -> {
            try {
                return connection.call(set("unix", "after"), LONG_NANOS) == StoreStatus.DONE;
            } catch (MemcachedConnectionException e) {
                return false;
            }
        });
    }

    @Test
    void socketThatIsNotThereFailsTheFirstCallWithItsPath() {
        Path missing = directory.resolve("missing.sock");

        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connect(ServerAddress.unixSocket(missing)).call(get("a"), LONG_NANOS))
                .withMessageContaining("cannot connect to unix:" + missing)
                .withMessageContaining("the socket file does not exist");
    }
}
