// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.command.BenchException;
import io.memshard.testkit.EmbeddedMemcached;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchServerTest {

    @Test
    void aNamedServerIsAskedWhoItIsAndLeftRunning() {
        try (EmbeddedMemcached embedded = EmbeddedMemcached.start()) {
            String name = embedded.host() + ":" + embedded.port();
            for (int i = 0; i < 2; i++) {
                try (BenchServer server = BenchServer.find(name)) {
                    assertThat(server.hostAndPort()).isEqualTo(name);
                    assertThat(server.version()).isNotBlank();
                    new Keyspace(10, 100).fill(server);
                }
            }
        }
    }

    @Test
    void severalNamedServersAreAllFilled() throws IOException {
        try (EmbeddedMemcached first = EmbeddedMemcached.start();
                EmbeddedMemcached second = EmbeddedMemcached.start()) {
            String names = first.host() + ":" + first.port() + ", " + second.host() + ":" + second.port();
            try (BenchServer servers = BenchServer.findSeveral(names)) {
                assertThat(servers.hostAndPort()).isEqualTo(names.replace(" ", ""));
                assertThat(servers.addresses()).hasSize(2).startsWith(servers.address());
                new Keyspace(10, 100).fill(servers);
            }
            assertThat(itemsOf(first)).isEqualTo(10);
            assertThat(itemsOf(second)).isEqualTo(10);
        }
    }

    private static int itemsOf(EmbeddedMemcached server) throws IOException {
        try (Socket socket = new Socket(server.host(), server.port());
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            socket.getOutputStream().write("stats\r\n".getBytes(StandardCharsets.US_ASCII));
            for (String line = in.readLine(); !line.equals("END"); line = in.readLine()) {
                if (line.startsWith("STAT curr_items ")) {
                    return Integer.parseInt(line.substring("STAT curr_items ".length()));
                }
            }
            return -1;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "a:1,b", "", "a:1,,b:2"})
    void wrongListsOfServersAreRefused(String names) {
        assertThatExceptionOfType(BenchException.class).isThrownBy(() -> BenchServer.findSeveral(names));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":11211", "host:", "host:x", "host:0x", "host:70000", "host:-1"})
    void aMalformedAddressIsRefused(String name) {
        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> BenchServer.find(name))
                .withMessageContaining("not an address of the form host:port");
    }

    @Test
    void aKeyspaceKnowsItsValuesToTheLastByte() {
        Keyspace keys = new Keyspace(3, 100);

        assertThat(new String(keys.value(2), StandardCharsets.US_ASCII))
                .hasSize(100)
                .startsWith(keys.key(2) + ":");
        assertThat(keys.isValueOf(2, keys.value(2).clone())).isTrue();
        assertThat(keys.isValueOf(2, keys.value(1))).isFalse();
        assertThat(keys.isValueOf(2, null)).isFalse();
        byte[] damaged = keys.value(2).clone();
        damaged[99]++;
        assertThat(keys.isValueOf(2, damaged)).isFalse();
    }
}
