// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.BindException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class ClosedPortTest {

    @Test
    void aClosedPortRefusesConnectionsAndServers() throws Exception {
        try (ClosedPort port = new ClosedPort();
                Socket client = new Socket();
                ServerSocket server = new ServerSocket()) {
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> client.connect(port.address()));
            server.setReuseAddress(false);
            assertThatExceptionOfType(BindException.class).isThrownBy(() -> server.bind(port.address()));
        }
    }
}
