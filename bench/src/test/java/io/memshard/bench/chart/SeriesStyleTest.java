// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesStyleTest {

    @Test
    void contendersThatAreNotKnownHaveStylesOfTheirOwn() {
        List<String> names = List.of("pool", "connection", "pool-fair", "array-of-twenty", "template");

        assertThat(SeriesStyle.of(names).keySet()).containsExactlyElementsOf(names);
        assertThat(SeriesStyle.of(names).values()).doesNotHaveDuplicates();
    }

    @Test
    void aKnownContenderHasTheSameStyleInEveryChart() {
        assertThat(SeriesStyle.of(List.of("pool", "template")).get("template"))
                .isEqualTo(SeriesStyle.of(List.of("template")).get("template"));
    }
}
