// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AddressOrderTest {

    private final AddressOrder order = new AddressOrder();

    private static List<SocketAddress> addresses(String... literals) {
        return Stream.of(literals)
                .<SocketAddress>map(literal -> new InetSocketAddress(literal, 11211))
                .toList();
    }

    @Test
    void familiesTakeTurnsBeginningWithThePreferredOne() {
        assertThat(order.of(addresses("::1", "::2", "::3", "10.0.0.1", "10.0.0.2")))
                .isEqualTo(addresses("::1", "10.0.0.1", "::2", "10.0.0.2", "::3"));
        assertThat(order.of(addresses("10.0.0.1", "10.0.0.2", "::1")))
                .isEqualTo(addresses("10.0.0.1", "::1", "10.0.0.2"));
    }

    @Test
    void addressThatWorkedLastComesFirstWhileItIsThere() {
        order.worked(new InetSocketAddress("10.0.0.2", 11211));

        assertThat(order.of(addresses("10.0.0.1", "10.0.0.2", "::1")))
                .isEqualTo(addresses("10.0.0.2", "10.0.0.1", "::1"));
        assertThat(order.of(addresses("10.0.0.1", "10.0.0.3"))).isEqualTo(addresses("10.0.0.1", "10.0.0.3"));
    }

    @Test
    void thoseThatHadNoTurnComeFirstInTheNextAttempt() {
        order.failed(2);
        assertThat(order.of(addresses("10.0.0.1", "10.0.0.2", "10.0.0.3")))
                .isEqualTo(addresses("10.0.0.3", "10.0.0.1", "10.0.0.2"));
        order.failed(Integer.MAX_VALUE);
        assertThat(order.of(addresses("10.0.0.1", "10.0.0.2", "10.0.0.3"))).hasSize(3);
    }

    @Test
    void addressThatIsThereTwiceIsTriedOnce() {
        assertThat(order.of(addresses("10.0.0.1", "10.0.0.1"))).isEqualTo(addresses("10.0.0.1"));
        assertThat(order.of(List.of())).isEmpty();
    }
}
