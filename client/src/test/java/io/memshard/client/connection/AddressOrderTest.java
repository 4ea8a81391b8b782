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
    void addressInUseThatTheNameHasLostIsLeftOnceItFails() {
        List<SocketAddress> both = addresses("10.0.0.1", "10.0.0.2");
        List<SocketAddress> other = addresses("10.0.0.2");
        order.worked(both.get(0), () -> true);
        assertThat(order.of(other)).containsExactly(both.get(0));
        order.leave(both.get(1));
        assertThat(order.of(other)).containsExactly(both.get(0));

        order.leave(both.get(0));
        assertThat(order.of(other)).isEqualTo(other);
        assertThat(order.worked(other.get(0), () -> true)).isTrue();
    }

    @Test
    void onlyAddressesOfOneFamilyMayBeDifferentServers() {
        assertThat(AddressOrder.maySplit(addresses("10.0.0.1", "::1"))).isFalse();
        assertThat(AddressOrder.maySplit(addresses("::1", "::1"))).isFalse();
        assertThat(AddressOrder.maySplit(addresses("::1", "10.0.0.1", "::2"))).isTrue();
        assertThat(AddressOrder.maySplit(addresses("10.0.0.1", "10.0.0.2"))).isTrue();
    }
}
