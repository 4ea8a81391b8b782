// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A name with many addresses, none of which answers. */
class AddressesTest {

    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final Addresses addresses = new Addresses();
    private final List<SocketAddress> resolved = IntStream.rangeClosed(1, 12)
            .<SocketAddress>mapToObj(port -> InetSocketAddress.createUnresolved("a", port))
            .toList();
    private final List<SocketAddress> tried = new ArrayList<>();

    @Test
    void eachAddressGetsAThirdOfTheTimeAtLeast() {
        long deadline = System.nanoTime() + HOUR;
        Addresses.Attempt attempt = (address, until) -> {
            tried.add(address);
            assertThat(until - System.nanoTime()).isGreaterThan(HOUR / 4);
            throw new IOException("refused");
        };

        assertThatThrownBy(() -> addresses.open(resolved, attempt, deadline)).hasMessageContaining("one of 12");
        assertThat(tried).isEqualTo(resolved);
    }

    /** The time of each attempt is over after its first address. */
    @Test
    void addressesThatAnAttemptHadNoTimeForComeFirstInTheNext() {
        Addresses.Attempt attempt = (address, until) -> {
            tried.add(address);
            throw new IOException("timed out");
        };
        for (int i = 0; i < resolved.size(); i++) {
            long over = System.nanoTime() - 1;
            assertThatThrownBy(() -> addresses.open(resolved, attempt, over)).isInstanceOf(IOException.class);
        }

        assertThat(tried).isEqualTo(resolved);
    }
}
