// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NeedsProgram(Program.NUTCRACKER)
@Timeout(60)
class TwemproxyProcessIT {

    private static String answer(MemcachedServer server, String request) throws IOException {
        try (Socket socket = new Socket(server.host(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void itemsAreDistributedAmongTheServersAndReadBack() throws Exception {
        try (EmbeddedMemcached one = EmbeddedMemcached.start();
                EmbeddedMemcached other = EmbeddedMemcached.start();
                TwemproxyProcess proxy = TwemproxyProcess.start(one, other)) {
            StringBuilder all = new StringBuilder("get");
            for (int i = 0; i < 50; i++) {
                assertThat(answer(proxy, "set k" + i + " 0 0 1\r\nx\r\n")).isEqualTo("STORED\r\n");
                all.append(" k").append(i);
            }
            all.append("\r\n");

            assertThat(answer(proxy, all.toString()))
                    .contains("VALUE k0 ", "VALUE k49 ")
                    .endsWith("END\r\n");
            assertThat(answer(one, all.toString())).contains("VALUE ");
            assertThat(answer(other, all.toString())).contains("VALUE ");
            assertThat(proxy.description()).contains("twemproxy", one.description(), other.description());
        }
    }

    @Test
    void proxyRejectsMetaCommandsAndStopsWhenClosed() throws Exception {
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            TwemproxyProcess proxy = TwemproxyProcess.start(server);
            assertThat(answer(proxy, "mn\r\n")).isEmpty();
            proxy.close();
            proxy.close();

            assertThat(connects(proxy)).isFalse();
        }
    }

    private static boolean connects(MemcachedServer server) {
        try (Socket socket = new Socket(server.host(), server.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
