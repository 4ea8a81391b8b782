// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MultiPartsTest {

    private static List<List<Integer>> parts(Integer... lengths) {
        return MultiCall.cut(List.of(lengths), Integer::intValue, MultiCall.MAX_BYTES, part -> part);
    }

    @Test
    void nothingHasNoParts() {
        assertThat(parts()).isEmpty();
    }

    @Test
    void partHasAtMostAHundredKeys() {
        assertThat(MultiCall.cut(Collections.nCopies(250, "k"), key -> 1, MultiCall.MAX_BYTES, part -> part))
                .extracting(List::size)
                .containsExactly(100, 100, 50);
        assertThat(MultiCall.cut(Collections.nCopies(100, "k"), key -> 1, MultiCall.MAX_BYTES, part -> part))
                .hasSize(1);
    }

    @Test
    void partEndsBeforeTheKeyThatMakesItTooLong() {
        int max = MultiCall.MAX_BYTES;
        assertThat(parts(max - 2, 1, 1, 1, 1)).containsExactly(List.of(max - 2, 1, 1), List.of(1, 1));
        assertThat(parts(max / 2, max / 2, max / 2)).extracting(List::size).containsExactly(2, 1);
    }

    @Test
    void longKeyGoesAlone() {
        int tooLong = MultiCall.MAX_BYTES + 1;
        assertThat(parts(1, tooLong, 1)).containsExactly(List.of(1), List.of(tooLong), List.of(1));
        assertThat(parts(Integer.MAX_VALUE, Integer.MAX_VALUE)).hasSize(2);
    }
}
