// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RealisticKeysTest {

    private static final int STORED = 100_000;

    private final RealisticKeys keys = new RealisticKeys(STORED);

    @Test
    void aValueIsKnownByItsLengthAndItsFirstBytes() {
        IntStream all = IntStream.range(0, STORED);
        IntSummaryStatistics lengths =
                all.map(index -> keys.value(index).length).summaryStatistics();
        byte[] value = keys.value(7);

        assertThat(lengths.getMin()).isEqualTo(RealisticKeys.SHORTEST);
        assertThat(lengths.getMax()).isEqualTo(RealisticKeys.LONGEST);
        assertThat(lengths.getAverage()).isCloseTo(311, within(15.0));
        assertThat(keys.isValueOf(7, value)).isTrue();
        assertThat(keys.isValueOf(7, Arrays.copyOf(value, value.length + 1))).isFalse();
        value[3]++;
        assertThat(keys.isValueOf(7, value)).isFalse();
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
