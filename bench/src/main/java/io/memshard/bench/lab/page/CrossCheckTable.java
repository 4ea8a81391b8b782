// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

    private CrossCheckTable(LabData data, Map<String, String> first) {
        this.forks = data.forks(value(first, "experiment"));
        this.baseline = value(first, "arm");
        this.baselineOfJmh = number(first, "cycles_per_second");
    }

    /**
     * The table.
     *
     * @param rows of the file that {@code bench/run lab jmh} wrote, by the names of their columns
     * @throws IllegalArgumentException if a column is missing, or no arm is in both
     */
    static String of(LabData data, List<Map<String, String>> rows) {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("JMH's file has no rows");
        }
        CrossCheckTable table = new CrossCheckTable(data, rows.get(0));
        rows.stream().skip(1).forEach(table::add);
        return table.text();
    }

    private void add(Map<String, String> row) {
        String arm = value(row, "arm");
        List<PairedRatio.Block> pairs =
                forks.pairs(arm, baseline, Condition.parse(value(row, "condition")), Metric.THROUGHPUT);
        if (pairs.isEmpty()) {
            return;
        }
        Interval lab = PairedRatio.of(pairs, Bootstrap.STANDARD);
        double cycles = number(row, "cycles_per_second");
        double jmh = cycles / baselineOfJmh;
        ofLab.add(lab.mid());
        ofJmh.add(jmh);
        within += lab.contains(jmh) ? 1 : 0;
        lines.append(String.format(
                Locale.ROOT,
                "| %s | %s | %.2f | %.0f %% |%n",
                arm,
                ArmTable.ratio(lab),
                jmh,
                number(row, "error") / cycles * 100));
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

    private static double number(Map<String, String> row, String column) {
        try {
            return Double.parseDouble(value(row, column));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + row.get(column) + "\" is no " + column, e);
        }
    }

    private static String value(Map<String, String> row, String column) {
        String value = row.get(column);
        if (value == null) {
            throw new IllegalArgumentException("there is no column \"" + column + "\" as bench/run lab jmh writes it");
        }
        return value;
    }
}
