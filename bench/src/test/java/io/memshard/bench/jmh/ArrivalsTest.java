// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private static final int RATE = 2000;

    @Test
    void timesBetweenArrivalsAreThoseOfManyIndependentUsers() {
        Arrivals arrivals = new Arrivals(RATE);
        long[] due = LongStream.generate(arrivals::take).limit(100_001).toArray();
        double mean = (due[100_000] - due[0]) / 1e5;
        long shorter = LongStream.range(0, 100_000)
                .filter(i -> due[(int) i + 1] - due[(int) i] < mean)
                .count();

        assertThat(mean).isBetween(0.98e9 / RATE, 1.02e9 / RATE);
        assertThat(shorter / 1e5).as("1 - 1/e").isBetween(0.62, 0.645);
        assertThat(due).isSorted();
    }

    @Test
    void allClientsGetTheSameArrivals() {
        Arrivals one = new Arrivals(RATE);
        Arrivals other = new Arrivals(RATE);
        long first = one.take();
        long second = other.take();
        for (int i = 0; i < 1000; i++) {
            assertThat(one.take() - first).isCloseTo(other.take() - second, offset(2L));
        }
    }

    @Test
    void theBacklogIsThePartOfTheTimeThatNoRequestWasTakenFor() {
        assertThat(new Arrivals(RATE).backlog()).isEqualTo(1);
        Arrivals ahead = new Arrivals(1);
        LongStream.range(0, 1000).forEach(i -> ahead.take());
        assertThat(ahead.backlog()).isZero();
    }
}
