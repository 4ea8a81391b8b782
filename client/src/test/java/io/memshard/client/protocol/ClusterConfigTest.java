// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterConfigTest {

    /** As the user guide of ElastiCache has it: its bytes count the line feed that ends it. */
    private static final String LIST = "12\ncache-1.example.com|10.0.0.1|11211 cache-2.example.com|10.0.0.2|11211\n";

    @Test
    void theListIsRequestedAndTakenAsItIs() {
        assertThat(Decoding.request(new ClusterConfig())).isEqualTo("config get cluster\r\n");
        Decoding.assertDecoded(
                ClusterConfig::new,
                "CONFIG cluster 0 " + LIST.length() + "\r\n" + LIST + "\r\nEND\r\n",
                command -> assertThat(command.result()).isEqualTo(LIST));
    }

    @Test
    void aListMayBeLongerThanTheLongestValue() {
        String list = "1\n" + "cache-1.example.com|10.0.0.1|11211 ".repeat(10);
        assertThat(list.length()).isGreaterThan(Decoding.MAX_VALUE_BYTES);
        Decoding.assertDecoded(
                ClusterConfig::new,
                "CONFIG cluster 0 " + list.length() + "\r\n" + list + "\r\nEND\r\n",
                command -> assertThat(command.result()).isEqualTo(list));
    }

    @Test
    void aServerWithoutAListHasNone() {
        Decoding.assertDecoded(
                ClusterConfig::new,
                "END\r\n",
                command -> assertThat(command.result()).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERROR", "CLIENT_ERROR unknown", "SERVER_ERROR out of memory"})
    void anErrorIsTheErrorReply(String error) {
        Decoding.assertDecoded(
                ClusterConfig::new,
                error + "\r\n",
                command -> assertThat(command.errorReply().text()).isEqualTo(error));
    }

    @ParameterizedTest
    @CsvSource({
        "'CONFIG cluster 0 1048577\r\n', more than 1048576 bytes",
        "'CONFIG cluster 0 99999999999\r\n', impossible length",
        "'CONFIG cluster 0 -1\r\n', other than digits",
        "'CONFIG cluster 0\r\n', without length",
        "'CONFIG cluster \r\n', without flags",
        "'CONFIG other 0 2\r\n', not a reply to config",
        "'VALUE cluster 0 2\r\n', not a reply to config",
        "'CONFIG cluster 0 2\r\n1\nxx', not followed by CR LF",
        "'CONFIG cluster 0 2\r\n1\n\r\nERROR\r\n', not a reply to config",
        "'HTTP/1.1 400 Bad Request\r\n', not a reply to config",
    })
    void malformedListIsRejected(String reply, String reason) {
        Decoding.assertRejected(ClusterConfig::new, reply, reason);
    }
}
