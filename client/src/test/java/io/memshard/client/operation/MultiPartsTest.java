// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MultiPartsTest {

    private static List<List<Integer>> parts(Integer... lengths) {
        return MultiParts.of(List.of(lengths), Integer::intValue, MultiParts.MAX_BYTES);
    }

    @Test
    void nothingHasNoParts() {
        assertThat(parts()).isEmpty();
    }

    @Test
    void partHasAtMostAHundredKeys() {
        assertThat(MultiParts.of(Collections.nCopies(250, "k"), key -> 1, MultiParts.MAX_BYTES))
                .extracting(List::size)
                .containsExactly(100, 100, 50);
        assertThat(MultiParts.of(Collections.nCopies(100, "k"), key -> 1, MultiParts.MAX_BYTES))
                .hasSize(1);
    }

    @Test
    void partEndsBeforeTheKeyThatMakesItTooLong() {
        int max = MultiParts.MAX_BYTES;
        assertThat(parts(max - 2, 1, 1, 1, 1)).containsExactly(List.of(max - 2, 1, 1), List.of(1, 1));
        assertThat(parts(max / 2, max / 2, max / 2)).extracting(List::size).containsExactly(2, 1);
    }

    @Test
    void longKeyGoesAlone() {
        int tooLong = MultiParts.MAX_BYTES + 1;
        assertThat(parts(1, tooLong, 1)).containsExactly(List.of(1), List.of(tooLong), List.of(1));
        assertThat(parts(Integer.MAX_VALUE, Integer.MAX_VALUE)).hasSize(2);
    }
}
