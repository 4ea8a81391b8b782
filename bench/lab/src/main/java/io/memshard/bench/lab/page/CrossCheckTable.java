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
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Ratios of the lab beside those that JMH found for the same arms under the same condition. Both are to the first arm
 * of JMH's file.
 *
 * <p>Threading: confined to one thread.
 */
final class CrossCheckTable {

    private final Forks forks;
    private final String baseline;
    private final double baselineOfJmh;
    private final StringBuilder lines = new StringBuilder();
    private final List<Double> ofLab = new ArrayList<>();
    private final List<Double> ofJmh = new ArrayList<>();
    private int within;

    private CrossCheckTable(LabData data, CsvRow first) {
        this.forks = data.forks(first.text("experiment"));
        this.baseline = first.text("arm");
        this.baselineOfJmh = first.decimal("cycles_per_second");
    }

    /**
     * Returns the table.
     *
     * @param rows of the file that {@code bench/run lab jmh} wrote
     * @throws IllegalArgumentException if no arm is in both
     * @throws UncheckedIOException if a column is missing
     */
    static String of(LabData data, List<CsvRow> rows) {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("JMH's file has no rows");
        }
        CrossCheckTable table = new CrossCheckTable(data, rows.get(0));
        rows.stream().skip(1).forEach(table::add);
        return table.text();
    }

    private void add(CsvRow row) {
        String arm = row.text("arm");
        List<PairedRatio.Block> pairs =
                forks.pairs(arm, baseline, Condition.parse(row.text("condition")), Metric.THROUGHPUT);
        if (pairs.isEmpty()) {
            return;
        }
        Interval lab = PairedRatio.of(pairs, Bootstrap.STANDARD);
        double cycles = row.decimal("cycles_per_second");
        double jmh = cycles / baselineOfJmh;
        ofLab.add(lab.mid());
        ofJmh.add(jmh);
        within += lab.contains(jmh) ? 1 : 0;
        lines.append(String.format(
                Locale.ROOT,
                "| %s | %s | %.2f | %.0f %% |%n",
                arm,
                ArmTable.ratio(lab, pairs.size()),
                jmh,
                row.decimal("error") / cycles * 100));
    }

    private String text() {
        if (ofLab.isEmpty()) {
            throw new IllegalArgumentException("no arm of JMH's file ran in the lab beside " + baseline);
        }
        return String.format(
                        Locale.ROOT,
                        "| arm, times %s | lab | JMH | error of JMH (99.9 %%) |%n|---|--:|--:|--:|%n",
                        baseline)
                + lines
                + String.format(
                        Locale.ROOT,
                        "%nJMH's ratio is within the interval of the lab for %d of %d arms. The correlation of the"
                                + " ranks is %.2f.%n",
                        within,
                        ofLab.size(),
                        Sample.rankCorrelation(array(ofLab), array(ofJmh)));
    }

    private static double[] array(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
