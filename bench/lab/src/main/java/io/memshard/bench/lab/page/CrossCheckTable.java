// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.statistics.Sample;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Table of the lab's ratios next to JMH's ratios for the same arms under the same condition. All are ratios to the
 * first arm of JMH's file.
 *
 * <p>Threading: stateless.
 */
public final class CrossCheckTable {

    private CrossCheckTable() {}

    private record Line(String arm, Interval lab, int blocks, double jmh, double error) {

        boolean overlaps() {
            return jmh * (1 - error) <= lab.high() && jmh * (1 + error) >= lab.low();
        }
    }

    /** Returns the table of {@code rows}, which {@code bench/run lab jmh} wrote. Fails if no arm is in both. */
    public static String of(LabData data, List<CsvRow> rows) {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("JMH's file has no rows");
        }
        String baseline = rows.get(0).text("arm");
        List<Line> lines = lines(data.forks(rows.get(0).text("experiment")), rows);
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("no arm of JMH's file ran in the lab beside " + baseline);
        }
        long within = lines.stream().filter(line -> line.lab.contains(line.jmh)).count();
        double[] ofLab = lines.stream().mapToDouble(line -> line.lab.mid()).toArray();
        double[] ofJmh = lines.stream().mapToDouble(Line::jmh).toArray();
        return new MarkdownTable<Line>()
                        .text("arm, times " + baseline, Line::arm)
                        .number("lab", line -> ArmTable.ratio(line.lab, line.blocks))
                        .number("JMH", "%.2f", Line::jmh)
                        .number("error of JMH (99.9 %)", "%.0f %%", line -> line.error * 100)
                        .of(lines)
                + String.format(
                        Locale.ROOT,
                        "%nJMH's ratio is within the interval of the lab for %d of %d arms, and within its own error"
                                + " of that for %d. The correlation of the ranks is %.2f.%n",
                        within,
                        lines.size(),
                        lines.stream().filter(Line::overlaps).count(),
                        Sample.rankCorrelation(ofLab, ofJmh));
    }

    private static List<Line> lines(Forks forks, List<CsvRow> rows) {
        String baseline = rows.get(0).text("arm");
        double cyclesOfBaseline = rows.get(0).decimal("cycles_per_second");
        List<Line> lines = new ArrayList<>();
        for (CsvRow row : rows.subList(1, rows.size())) {
            String arm = row.text("arm");
            Condition condition = Condition.parse(row.text("condition"));
            List<PairedRatio.Block> pairs = forks.pairs(arm, baseline, condition, Metric.THROUGHPUT);
            double cycles = row.decimal("cycles_per_second");
            if (!pairs.isEmpty()) {
                Interval lab = PairedRatio.of(pairs, Bootstrap.STANDARD);
                lines.add(new Line(arm, lab, pairs.size(), cycles / cyclesOfBaseline, row.decimal("error") / cycles));
            }
        }
        return lines;
    }
}
