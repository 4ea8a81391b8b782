// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.options.ServerAddress;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTest {

    @Test
    void allPartsAreRead() {
        Server server = Server.parse(" cache-3=10.0.0.3:11212*2@eu-1 ");
        assertThat(server)
                .isEqualTo(new Server("cache-3", new ServerAddress("10.0.0.3", 11212), "10.0.0.3", 2, "eu-1"));
    }

    @Test
    void onlyTheHostIsRequired() {
        Server server = Server.parse("cache-3");
        assertThat(server).isEqualTo(Server.of(new ServerAddress("cache-3", 11211)));
        assertThat(server.name()).isNull();
        assertThat(server.ip()).isNull();
        assertThat(server.weight()).isEqualTo(1);
        assertThat(server.zone()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cache-3:11211",
                "cache-3=10.0.0.3:11211*2@eu-1",
                "[fd00:0:0:1::3]:11211*3",
                "unix:/run/memcached.sock@eu-1",
                "a=b:1"
            })
    void textIsReadAsItIsWritten(String text) {
        assertThat(Server.parse(text)).hasToString(text);
    }

    @Test
    void theIpAddressOfAHostThatIsOneIsWrittenAsJavaDoes() {
        assertThat(Server.parse("[fd00:0:0:1::3]:1").ip()).isEqualTo("fd00:0:0:1:0:0:0:3");
        assertThat(Server.parse("10.0.0.3:1").ip()).isEqualTo("10.0.0.3");
        assertThat(Server.parse("10.0.0.3.example:1").ip()).isNull();
        assertThat(Server.parse("unix:/10.0.0.3").ip()).isNull();
    }

    @Test
    void partsAreReplacedOneByOne() throws Exception {
        Server server = Server.parse("cache-3")
                .withName("three")
                .withIp(InetAddress.getByAddress("other", new byte[] {10, 0, 0, 3}))
                .withWeight(2)
                .withZone("eu-1");
        assertThat(server).isEqualTo(new Server("three", new ServerAddress("cache-3", 11211), "10.0.0.3", 2, "eu-1"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    =a:1     | has an empty name: write name=host:port*weight@zone
                    a:1@     | has an empty zone: write name=host:port*weight@zone
                    a:1*0    | has the weight "0", which is not a positive integer: write name=host:port*weight@zone
                    a:1*x    | has the weight "x", which is not a positive integer
                    a:1*     | has the weight "", which is not a positive integer
                    a:1*1.5  | has the weight "1.5", which is not a positive integer
                    a:0      | port of a is 0
                    n=       | is not a server
                    a b=c:1  | must not be empty or have a space
                    999.1.1.1:1 | is neither an IP address nor a host name
                    """)
    void malformedTextIsRefusedWithAnExample(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Server.parse(text))
                .withMessageContaining(message);
    }

    @Test
    void aWeightBelowOneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Server.parse("a:1").withWeight(0))
                .withMessage("weight of a:1 is 0, but must be at least 1");
    }
}
