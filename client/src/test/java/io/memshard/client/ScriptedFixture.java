// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A scripted server and connections to it, which leave nothing behind. */
abstract class ScriptedFixture {

    ScriptedServer server;

    private LeakCheck leaks;
    private ConnectionGroup group;

    @BeforeEach
    final void start() {
        leaks = LeakCheck.start();
        server = ScriptedServer.start().expectTimeout(PatientOptions.LONG);
        group = new ConnectionGroup(PatientOptions.DEFAULTS, 1);
    }

    @AfterEach
    final void stop() {
        group.close();
        server.close();
        leaks.assertNothingLeft();
    }

    final Connection connect(Transport transport) {
        return group.newConnection(new ServerAddress(server.host(), server.port()), 0, transport);
    }
}
