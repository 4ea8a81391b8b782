// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.options.ServerAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {

    @ParameterizedTest
    @CsvSource({
        "localhost, localhost, 11211",
        "cache-1.example.com:11311, cache-1.example.com, 11311",
        "' 10.0.0.1:1 ', 10.0.0.1, 1",
        "h:65535, h, 65535",
        "[::1], ::1, 11211",
        "[::1]:11311, ::1, 11311",
        "[fe80::1%eth0]:1, fe80::1%eth0, 1",
    })
    void hostAndPortAreRead(String text, String host, int port) {
        assertThat(ServerAddress.parse(text)).isEqualTo(new ServerAddress(host, port));
    }

    @Test
    void pathOfAUnixSocketIsRead() {
        ServerAddress address = ServerAddress.parse(" unix:/run/a b.sock ");

        assertThat(address).isEqualTo(new ServerAddress("/run/a b.sock", 0));
        assertThat(address.isUnixSocket()).isTrue();
        assertThat(address.host()).isEqualTo("/run/a b.sock");
        assertThat(ServerAddress.parse("unix:11211").isUnixSocket())
                .as("a host may be called unix")
                .isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerAddress("/run/memcached.sock", 11211))
                .withMessageContaining(" is 11211, but must be 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddress.parse("unix:memcached.sock"))
                .withMessageContaining("unix:/path");
    }

    @Test
    void addressIsWrittenAsItIsRead() {
        for (String text : new String[] {"localhost:11211", "[::1]:11311", "unix:/run/memcached.sock"}) {
            assertThat(ServerAddress.parse(text)).hasToString(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ":11211",
                "a b",
                "a,b",
                "a/b:1",
                "http://a",
                "a:b:c",
                "::1",
                "h:",
                "h:0",
                "h:-1",
                "h:65536",
                "h:999999",
                "h:abc",
                "unix:",
                "unix:memcached.sock",
                "h:+1",
                "h:1 1",
                "[::1",
                "[::1]11211",
                "[::1]:x",
                "[]:1"
            })
    void malformedAddressIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddress.parse(text))
                .withMessageMatching(
                        "\"\\Q" + text + "\\E\" is not a server: write host:port.*|port of h is \\d+, but .*");
    }
}
