// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {

    @Test
    void textIsEscapedAndKeepsItsDigits() {
        Plot.Table table = new Plot.Table("x label");
        table.row(2.0, "a name & <signs>, 1.234");

        assertThat(new Plot(200)
                        .layer("text", table, "x label y:1")
                        .draw("title", "what < 2")
                        .svg())
                .contains(">a name &amp; &lt;signs&gt;, 1.234<", "<desc>what &lt; 2</desc>");
    }

    @Test
    void aRangeOfLittleMoreThanItselfHasTicksToo() {
        assertThat(axis(0.62, 1.38)).contains(">0.8</text>", ">1</text>", ">1.2</text>");
        assertThat(axis(0.03, 14)).contains(">0.05</text>", ">0.5</text>", ">10</text>");
        assertThat(axis(0.001, 1000)).contains(">0.001</text>", ">1,000</text>").doesNotContain(">500</text>");
    }

    private static String axis(double least, double greatest) {
        Plot.Table table = new Plot.Table("x y");
        table.row(least, 1.0);
        return new Plot(200)
                .layer("point", table, "x y")
                .logarithmic("x", "", least, greatest, List.of(least / 2, greatest * 2))
                .draw("title", "finding")
                .svg();
    }

    @Test
    void contendersThatAreNotKnownHaveStylesOfTheirOwn() {
        List<String> names = List.of("pool", "connection", "pool-fair", "array-of-twenty", "template");

        assertThat(SeriesStyle.of(names).keySet()).containsExactlyElementsOf(names);
        assertThat(SeriesStyle.of(names).values()).doesNotHaveDuplicates();
        assertThat(SeriesStyle.of(names).get("template"))
                .isEqualTo(SeriesStyle.of(List.of("template")).get("template"));
    }
}
