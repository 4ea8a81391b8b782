// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyspaceTest {

    private static final int STORED = 100_000;

    private final Keyspace keys = Keyspace.realistic(STORED);

    @Test
    void aValueIsKnownToTheLastByte() {
        IntStream all = IntStream.range(0, STORED);
        IntSummaryStatistics lengths =
                all.map(index -> keys.value(index).length).summaryStatistics();
        byte[] value = keys.value(7);

        assertThat(lengths.getMin()).isEqualTo(Keyspace.REALISTIC_SHORTEST);
        assertThat(lengths.getMax()).isEqualTo(Keyspace.REALISTIC_LONGEST);
        assertThat(lengths.getAverage()).isCloseTo(311, within(15.0));
        assertThat(keys.isValueOf(7, value)).isTrue();
        assertThat(keys.isValueOf(8, value)).isFalse();
        assertThat(keys.isValueOf(7, null)).isFalse();
        assertThat(keys.isValueOf(7, Arrays.copyOf(value, value.length + 1))).isFalse();
        for (int place : new int[] {3, value.length - 1}) {
            byte[] damaged = value.clone();
            damaged[place]++;
            assertThat(keys.isValueOf(7, damaged)).isFalse();
        }
    }

    @Test
    void keysOfOneLengthAreRequestedEquallyOften() {
        Keyspace equal = Keyspace.of(4, 100);
        int[] requests = equal.requests(STORED);

        assertThat(equal.value(3)).hasSize(100);
        assertThat(share(requests, 0, 1)).isCloseTo(0.25, within(0.01));
        assertThat(share(requests, 3, 4)).isCloseTo(0.25, within(0.01));
    }

    @Test
    void oneRequestOfTenMissesAndTheOthersFollowZipfsLaw() {
        int[] requests = keys.requests(STORED);

        assertThat(Arrays.stream(requests).mapToObj(index -> keys.key(index).length()))
                .contains(20, 45)
                .allMatch(length -> length >= 20 && length <= 45);
        assertThat(share(requests, STORED, 2 * STORED)).isCloseTo(0.1, within(0.01));
        assertThat(share(requests, 0, 1)).isCloseTo(0.9 * 0.078, within(0.01));
        assertThat(share(requests, 0, STORED / 100)).isCloseTo(0.9 * 0.605, within(0.02));
    }

    private static double share(int[] requests, int from, int to) {
        return Arrays.stream(requests)
                .mapToDouble(index -> index >= from && index < to ? 1 : 0)
                .average()
                .orElseThrow();
    }
}
