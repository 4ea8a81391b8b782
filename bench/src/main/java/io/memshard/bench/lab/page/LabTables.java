// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.result.MarkdownTable;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Markdown tables of experiments. */
public final class LabTables {

    private static final String ALL_BYTES = "all_bytes_per_cycle";

    private LabTables() {}

    public static String waits(Path folder, String experiment, Condition condition, Map<String, String> names) {
        Forks forks = LabData.read(folder).forks(experiment);
        for (String arm : names.keySet()) {
            if (!forks.has(arm, condition)) {
                throw new IllegalArgumentException("arm \"" + arm + "\" has no result for " + condition.label());
            }
        }
        return new MarkdownTable<Map.Entry<String, String>>()
                .text("pool", Map.Entry::getValue)
                .number("cycles a second", "%,.0f", arm -> forks.median(arm.getKey(), condition, Metric.THROUGHPUT))
                .number("longest wait, ms", "%,.0f", arm -> forks.median(arm.getKey(), condition, "longest_us") / 1e3)
                .of(names.entrySet());
    }

    /** Returns the allocated bytes and the GC pauses. An empty {@code names} is all clients. */
    public static String costs(Path folder, List<String> names) {
        Forks forks = LabData.read(folder).forks(Clients.NAME);
        List<Plan.Cell> rows = forks.cells(LabReport.ORDER).stream()
                .filter(row -> forks.values(row.arm(), row.condition(), ALL_BYTES).length > 0)
                .filter(row -> names.isEmpty() || names.contains(row.arm()))
                .toList();
        for (String name : names) {
            if (rows.stream().noneMatch(row -> row.arm().equals(name))) {
                throw new IllegalArgumentException("this run has no bytes of all threads of \"" + name + "\"");
            }
        }
        Function<String, Function<Plan.Cell, Double>> median =
                metric -> row -> forks.median(row.arm(), row.condition(), metric);
        return new MarkdownTable<Plan.Cell>()
                .text("load", row -> Comparison.callers(row.condition()) + ", " + Comparison.load(row.condition()))
                .text("client", Plan.Cell::arm)
                .number("bytes an operation, all threads", "%,.0f", median.apply(ALL_BYTES))
                .number("bytes an operation, callers", "%,.0f", median.apply("bytes_per_cycle"))
                .number("GC pauses a second", "%.2f", median.apply("gc_per_second"))
                .of(rows);
    }

    public static String ranks(Path folder, Claim claim) {
        Forks forks = LabData.read(folder).forks(claim.experiment());
        List<ClaimCheck> tests = Stream.concat(Stream.of(claim.primary()), claim.shapes().stream())
                .filter(test -> test.kind() == Kind.RANKS)
                .toList();
        if (tests.isEmpty()) {
            throw new IllegalArgumentException("claim \"" + claim.name() + "\" has no test that begins with \"ranks\"");
        }
        List<String> arms = List.copyOf(claim.primary().times().keySet());
        List<Map<String, Double>> printed =
                tests.stream().map(ClaimCheck::times).toList();
        List<Map<String, Double>> measured = tests.stream()
                .map(test -> arms.stream()
                        .collect(Collectors.toMap(
                                arm -> arm, arm -> 1 / forks.median(arm, test.condition(), Metric.THROUGHPUT))))
                .toList();
        return new MarkdownTable<String>()
                .text("pool", arm -> arm.replaceFirst("-(equal|shipped|as-in-2012)$", ""))
                .number("in the source", arm -> greatestMultiple(arm, printed))
                .number("in the lab", arm -> greatestMultiple(arm, measured))
                .of(arms);
    }

    private static String greatestMultiple(String arm, List<Map<String, Double>> tests) {
        double multiple = tests.stream()
                .mapToDouble(times -> times.getOrDefault(arm, Double.NaN) / Collections.min(times.values()))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
        return String.format(Locale.ROOT, multiple < 9.95 ? "%.1f" : "%.0f", multiple);
    }
}
