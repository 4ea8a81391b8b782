// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Quartiles;
import io.memshard.bench.table.Loss;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the numbers say, computed from them and not written by hand: the first sentences of the report,
 * and the noise floor.
 *
 * <p>Threading: stateless.
 */
final class Findings {

    private Findings() {}

    /** The first paragraph. */
    static String headline(ComparisonResult result) {
        for (Workload workload : Workload.of(result.summaries())) {
            Optional<Integer> threads = workload.threads().stream()
                    .filter(number -> ours(workload, number).isPresent())
                    .max(Comparator.comparingDouble(number -> ratio(ours(workload, number))));
            if (threads.isPresent()) {
                return headline(result, workload, threads.get());
            }
        }
        return result.summaries().stream()
                .filter(line -> line.ratio() != null)
                .max(Comparator.comparingDouble(line -> median(line.ratio())))
                .map(line -> String.format(
                        Locale.ROOT,
                        "Memshard did not take part. The highest ratio to %s is that of %s: %s at %d threads.",
                        result.plan().baseline(),
                        line.contender(),
                        Numbers.ratio(median(line.ratio())),
                        line.condition().threads()))
                .orElse("No contender finished a round together with the baseline, so there is no ratio to report.");
    }

    private static String headline(ComparisonResult result, Workload workload, int threads) {
        ContenderSummary ours = ours(workload, threads).orElseThrow();
        Quartiles ratio = ours.ratio();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "At %d %s, %s made %s operations a second, %s times those of %s (quartiles %s to %s)",
                threads,
                threads == 1 ? "thread" : "threads",
                workload.label(ours),
                Numbers.compact(ours.operationsPerSecond()),
                Numbers.ratio(median(ratio)),
                result.plan().baseline(),
                Numbers.ratio(ratio == null ? 0 : ratio.lower()),
                Numbers.ratio(ratio == null ? 0 : ratio.upper())));
        workload.at(threads).stream()
                .filter(line -> line.contender().equals("template"))
                .filter(line -> median(line.ratio()) > 0)
                .findFirst()
                .ifPresent(template -> text.append(String.format(
                        Locale.ROOT,
                        " and %s times those of template, a pool of %d clients",
                        Numbers.ratio(median(ratio) / median(template.ratio())),
                        result.plan().poolSize())));
        text.append(". This is its best cell of this workload; ");
        long lost = Loss.of(result).stream()
                .filter(loss -> loss.measure().equals(Loss.THROUGHPUT))
                .map(Loss::condition)
                .distinct()
                .count();
        long cells = result.summaries().stream()
                .map(ContenderSummary::condition)
                .distinct()
                .count();
        return text.append(
                        lost == 0
                                ? "no other contender was faster in any of the " + cells + " cells."
                                : "another contender was faster in " + lost + " of " + cells
                                        + " cells, listed under \u201cWhere Memshard loses\u201d.")
                .toString();
    }

    /** How it was measured, in one paragraph, with what cannot be concluded from it. */
    static String basis(ComparisonResult result) {
        ComparisonResult.Plan plan = result.plan();
        return String.format(
                Locale.ROOT,
                "Measured on %d CPUs against memcached %s at %s. Contenders took turns in shuffled order, in %d rounds"
                        + " of %d ms slices; a ratio is the median over the rounds of the throughput over that of %s in"
                        + " the same round. The callers are a closed loop, so a latency here is mostly waiting in line,"
                        + " not what a lightly loaded service sees. Ratios on another machine, or with the server"
                        + " across a network, will be different. Noise floor: %s.%s",
                result.environment().cpus(),
                result.environment().serverVersion(),
                result.environment().server(),
                plan.rounds(),
                plan.sliceMillis(),
                plan.baseline(),
                noiseFloor(result),
                result.isNoisy()
                        ? " That is a wide margin: the machine was busy with something else, and this run is fit to"
                                + " show orders of magnitude only."
                        : "");
    }

    /** What the second run of the baseline says of the noise. */
    static String noiseFloor(ComparisonResult result) {
        List<Quartiles> again = result.summaries().stream()
                .filter(ContenderSummary::isAgain)
                .map(ContenderSummary::ratio)
                .filter(ratio -> ratio != null)
                .toList();
        if (again.isEmpty()) {
            return "not measured: the baseline ran once in each round";
        }
        double lower = again.stream().mapToDouble(Quartiles::lower).min().orElse(1);
        double upper = again.stream().mapToDouble(Quartiles::upper).max().orElse(1);
        return String.format(
                Locale.ROOT,
                "%s raced against itself had quartiles from %s to %s over all conditions: a ratio within them means"
                        + " nothing",
                result.plan().baseline(),
                Numbers.ratio(lower),
                Numbers.ratio(upper));
    }

    private static Optional<ContenderSummary> ours(Workload workload, int threads) {
        return Loss.ours(workload.at(threads));
    }

    private static double ratio(Optional<ContenderSummary> line) {
        return line.map(summary -> median(summary.ratio())).orElse(0.0);
    }

    private static double median(@Nullable Quartiles ratio) {
        return ratio == null ? 0 : ratio.median();
    }
}
