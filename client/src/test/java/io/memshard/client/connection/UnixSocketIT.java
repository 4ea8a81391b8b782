// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.nio.file.Path;
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
        storesAndReadsMany(connection);
        assertThat(connection).hasToString(address + "[0] READY");
    }

    @Test
    void missingSocketFailsTheFirstCallWithItsPath() {
        Path missing = directory.resolve("missing.sock");

        assertThat(failedCall(connect(new ServerAddress(missing.toString(), 0))))
                .hasMessageContaining("cannot connect to unix:" + missing)
                .hasMessageContaining("the socket file does not exist");
    }
}
