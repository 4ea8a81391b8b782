// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AddressRaceTest {

    private static final List<SocketAddress> ADDRESSES = IntStream.rangeClosed(1, 3 * AddressRace.MOST_RUNNING)
            .mapToObj(port -> (SocketAddress) InetSocketAddress.createUnresolved("cache.example.com", port))
            .toList();

    private static long in(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void noMoreThanSixAddressesAreTriedAtATime() {
        AtomicInteger tried = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            AddressRace race = new AddressRace(
                    address -> {
                        tried.incrementAndGet();
                        Thread.sleep(Long.MAX_VALUE); // Silent, until the race is over.
                        throw new AssertionError("nobody interrupts");
                    },
                    threads);

            assertThatThrownBy(() -> race.run(ADDRESSES, in(100))).isInstanceOf(IOException.class);
        } finally {
            threads.shutdownNow();
        }
        assertThat(tried).hasValueLessThanOrEqualTo(AddressRace.MOST_RUNNING);
    }
}
