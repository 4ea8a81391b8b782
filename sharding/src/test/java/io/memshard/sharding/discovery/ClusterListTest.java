// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterListTest {

    @Test
    void hostsAreConnectedToAndIpAddressesAreKept() throws Exception {
        ClusterList list = ClusterList.parse("12\na.example.com|10.0.0.1|11211 b.example.com|fd00::2|11212\n");

        assertThat(list.version()).isEqualTo(12);
        assertThat(list.servers())
                .containsExactly(
                        Server.of(new ServerAddress("a.example.com", 11211)).withIp(InetAddress.getByName("10.0.0.1")),
                        Server.of(new ServerAddress("b.example.com", 11212)).withIp(InetAddress.getByName("fd00::2")));
    }

    @Test
    void eitherOfHostAndIpAddressMayBeMissing() throws Exception {
        assertThat(ClusterList.parse("1\na.example.com||11211 |10.0.0.2|11211").servers())
                .containsExactly(Server.parse("a.example.com:11211"), Server.parse("10.0.0.2:11211"));
    }

    @Test
    void theHostMayBeAnIpAddress() throws Exception {
        assertThat(ClusterList.parse("1\n10.0.0.1|10.0.0.1|11211").servers())
                .containsExactly(Server.parse("10.0.0.1:11211"));
    }

    @Test
    void lineEndsAndSpacesMayVary() throws Exception {
        assertThat(ClusterList.parse(" 7 \r\n a|10.0.0.1|1  b|10.0.0.2|2 \r\n\r\n")
                        .servers())
                .hasSize(2);
    }

    @Test
    void aClusterMayHaveNoNodes() throws Exception {
        assertThat(ClusterList.parse("3\n\n")).isEqualTo(new ClusterList(3, List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "a|10.0.0.1|11211",
                "-1\na|10.0.0.1|11211",
                "1234567890123456789\na|10.0.0.1|1",
                "1.5\n",
                "1\na",
                "1\na:11211",
                "1\na|10.0.0.1",
                "1\n||11211",
                "1\na|10.0.0.1|0",
                "1\na|10.0.0.1|65536",
                "1\na|10.0.0.1|port",
                "1\na|10.0.0.256|1",
                "1\n999.0.0.1|10.0.0.1|1",
                "1\n1.2.3|10.0.0.1|1",
                "1\na|not-an-ip|1",
                "1\na|10.0.0.1|1|x",
                "1\na/b|10.0.0.1|1",
                "1\n\0|10.0.0.1|1",
                "1\n|:::::|1",
                "1\n|1:2:3:4:5:6:7:8:9|1",
                "<html>\n<body>"
            })
    void malformedListIsRefused(String text) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ClusterList.parse(text))
                .withMessageStartingWith("the list of servers ");
    }

    @Test
    void theMessageQuotesALittleInPrintableCharacters() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ClusterList.parse("1\nevil\u001b[31m" + "x".repeat(10_000)))
                .withMessageContaining("\"evil?[31mxxx")
                .withMessageContaining("as in cache-1.example.com|10.0.0.1|11211")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250).doesNotContain("\u001b"));
    }

    @Test
    @Timeout(60) // Where the cost is the square of the length, this takes a thousand times as long.
    void aLongLineCostsLittle() {
        for (String piece : new String[] {":", "1", "a", "|", "1.", "a.", "1.1.1.1|"}) {
            String line = piece.repeat(1024 * 1024 / piece.length());
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> ClusterList.parse("1\n" + line));
        }
    }
}
