// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Plan.Cell;
import io.memshard.bench.lab.page.LabReport.VerdictTable;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Comparison of every arm of an experiment with its baseline, without a claim. It first lists the arms that are ahead
 * of the baseline, then all figures.
 *
 * <p>Threading: confined to one thread.
 */
public final class ContestTable {

    private static final List<String> METRICS = List.of("p50_us", "p99_us", "client_cpu_us", "server_cpu_us");

    private final LabData data;
    private final Experiment experiment;
    private final String baseline;
    private final Forks forks;
    private final List<Condition> conditions;

    private ContestTable(LabData data, Experiment experiment) {
        this.data = data;
        this.experiment = experiment;
        this.baseline = experiment.arms().get(0).name();
        this.forks = data.forks(experiment.name());
        this.conditions = experiment.plan(Experiment.Size.FULL, data.profile()).cells().stream()
                .map(Cell::condition)
                .distinct()
                .filter(condition -> forks.has(baseline, condition))
                .toList();
    }

    /** Returns the tables of {@code experiment}, for the first profile that was run. */
    public static String of(LabData data, Experiment experiment) {
        ContestTable table = new ContestTable(data, experiment);
        return table.losses() + "\n" + table.figures() + "\n" + data.lines();
    }

    private String losses() {
        List<String> lines = new ArrayList<>();
        for (Arm arm : experiment.arms()) {
            for (Condition condition : conditions) {
                Interval ratio = ratio(arm.name(), condition);
                if (ratio.mid() > 1) {
                    String near = ratio.contains(1) ? "; the interval includes 1" : "";
                    lines.add(String.format(
                            Locale.ROOT,
                            "- %s, %s: %s times %s%s%n",
                            arm.name(),
                            condition.label(),
                            text(ratio),
                            baseline,
                            near));
                }
            }
        }
        return lines.isEmpty()
                ? "No arm is ahead of " + baseline + " anywhere.\n"
                : "Ahead of " + baseline + ":\n\n" + String.join("", lines);
    }

    private String figures() {
        MarkdownTable<Cell> table = new MarkdownTable<Cell>()
                .text("condition", cell -> cell.condition().label())
                .text("arm", Cell::arm)
                .number(
                        experiment.unit() + "s a second",
                        cell -> forks.has(cell.arm(), cell.condition())
                                ? figure(cell, Metric.THROUGHPUT)
                                : "did not run: " + VerdictTable.cell(reason(cell.arm())))
                .number(
                        "ratio to " + baseline,
                        ifRan(cell -> cell.arm().equals(baseline)
                                ? "1"
                                : "**" + text(ratio(cell.arm(), cell.condition())) + "**"));
        METRICS.forEach(metric ->
                table.number(metric.replace('_', ' ').replace("cpu", "CPU"), ifRan(cell -> figure(cell, metric))));
        table.number("round trips", ifRan(cell -> {
            OptionalDouble trips = roundTrips(cell.arm());
            return trips.isPresent() ? String.format(Locale.ROOT, "%.0f", trips.getAsDouble()) : "";
        }));
        return table.of(Plan.cross(conditions, experiment.armNames())).replaceAll("\\|  (?=\\|)", "| ");
    }

    private Function<Cell, String> ifRan(Function<Cell, String> cell) {
        return each -> forks.has(each.arm(), each.condition()) ? cell.apply(each) : "";
    }

    private String figure(Cell cell, String metric) {
        return String.format(Locale.ROOT, "%,.0f", forks.median(cell.arm(), cell.condition(), metric));
    }

    /** Returns the number of round trips. It is counted under one condition only and is the same under all. */
    private OptionalDouble roundTrips(String arm) {
        return conditions.stream()
                .mapToDouble(condition -> forks.median(arm, condition, "round_trips"))
                .filter(Double::isFinite)
                .findFirst();
    }

    private String reason(String arm) {
        return data.forks().stream()
                .filter(fork -> fork.key().openedArm().equals(arm) && !fork.isThere())
                .map(ForkResult::failure)
                .findFirst()
                .orElse("it was not in the run");
    }

    private Interval ratio(String arm, Condition condition) {
        List<PairedRatio.Block> pairs =
                arm.equals(baseline) ? List.of() : forks.pairs(arm, baseline, condition, Metric.THROUGHPUT);
        return pairs.isEmpty() ? Interval.UNKNOWN : PairedRatio.of(pairs, Bootstrap.STANDARD);
    }

    private static String text(Interval ratio) {
        return Double.isNaN(ratio.low())
                ? String.format(Locale.ROOT, "%.2f", ratio.mid())
                : String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", ratio.mid(), ratio.low(), ratio.high());
    }
}
