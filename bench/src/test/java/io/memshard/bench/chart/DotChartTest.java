// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.statistics.Interval;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DotChartTest {

    private static final Map<String, String> COLOURS = Map.of("sure", "#0072b2");

    @Test
    void aLongNameIsNotCutAndTextIsEscaped() {
        assertThat(draw(row("a name of more than twenty letters & <signs>", 1.1, 1.4)))
                .contains(">a name of more than twenty letters &amp; &lt;signs&gt;<")
                .contains("<desc>what is seen</desc>");
    }

    @Test
    void aRangeOfLittleMoreThanItselfHasTicksToo() {
        assertThat(draw(row("near", 0.62, 1.38))).contains(">0.8</text>", ">1</text>", ">1.2</text>");
        assertThat(draw(row("far", 0.03, 14))).contains(">0.05</text>", ">0.5</text>", ">10</text>");
        assertThat(draw(row("farther", 0.001, 1000)))
                .contains(">0.001</text>", ">1,000</text>")
                .doesNotContain(">0.5</text>");
    }

    @Test
    void aRowWithoutPointsHasItsTextOnly() {
        DotChart.Row text = new DotChart.Row("no figure", "sure", Interval.UNKNOWN, "none", Double.NaN);

        assertThat(draw(row("a figure", 1, 2), text)).contains(">no figure<", ">none<");
    }

    private static DotChart.Row row(String label, double low, double high) {
        return new DotChart.Row(label, "sure", new Interval(low, (low + high) / 2, high), "", Double.NaN);
    }

    private static String draw(DotChart.Row... rows) {
        Frame frame = new Frame("title", "what is seen", "unit");
        return DotChart.draw(frame, 1, COLOURS, List.of(rows)).svg();
    }
}
