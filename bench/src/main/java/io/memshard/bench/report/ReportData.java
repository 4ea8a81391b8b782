// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.table.Loss;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Data that {@code report.js} shows. They are written as JSON and never read by this program. A figure that is not
 * known is NaN, and a part that was not run is null.
 */
record ReportData(@Nullable Comparison comparison, @Nullable LockReport locks) {

    record Comparison(
            Environment environment,
            ComparisonResult.Plan plan,
            String baseline,
            boolean memcached,
            boolean noisy,
            boolean tookPart,
            long cells,
            List<Interval> again,
            List<Work> workloads,
            List<Loss> losses) {

        static Comparison of(ComparisonResult result) {
            List<ContenderSummary> lines = result.summaries();
            return new Comparison(
                    result.environment(),
                    result.plan(),
                    result.plan().baseline(),
                    result.environment().isMemcached(),
                    result.isNoisy(),
                    Loss.tookPart(result),
                    lines.stream().map(ContenderSummary::condition).distinct().count(),
                    lines.stream()
                            .filter(ContenderSummary::isAgain)
                            .map(ContenderSummary::ratio)
                            .filter(Objects::nonNull)
                            .toList(),
                    Workload.of(lines).stream()
                            .map(workload -> Work.of(result, workload))
                            .toList(),
                    Loss.of(result));
        }
    }

    record Work(String title, List<Line> lines) {

        static Work of(ComparisonResult result, Workload workload) {
            return new Work(
                    workload.title(),
                    workload.lines().stream()
                            .map(line -> Line.of(result, workload, line))
                            .toList());
        }
    }

    /**
     * Cell of the report. {@code ours} is true for Memshard with its defaults, {@code again} for the second run of the
     * baseline, which shows the noise.
     */
    record Line(
            ContenderSummary line,
            String label,
            String verdict,
            boolean ours,
            boolean again,
            @Nullable Interval overTemplate) {

        static Line of(ComparisonResult result, Workload workload, ContenderSummary line) {
            List<ContenderSummary> beside = workload.at(line.condition().threads());
            boolean ours = Loss.ours(beside).filter(line::equals).isPresent();
            Interval overTemplate = beside.stream()
                    .filter(other -> ours && other.contender().equals("template"))
                    .map(other -> result.ratio(line, other, SliceResult::throughput))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            return new Line(line, workload.label(line), line.verdict(), ours, line.isAgain(), overTemplate);
        }
    }
}
