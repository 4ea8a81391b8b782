// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.Numbers;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.table.Loss;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
        if (!result.environment().isMemcached()) {
            return "The server was not memcached but one for tests. These figures describe another thing: they show"
                    + " that everything runs, and not how fast it is.";
        }
        List<ContenderSummary> lines = result.summaries();
        for (Workload workload : Workload.of(lines)) {
            Optional<Integer> threads = workload.threads().stream()
                    .filter(number -> ours(workload, number).isPresent())
                    .max(Comparator.comparingDouble(
                            number -> mid(ours(workload, number).orElseThrow())));
            if (threads.isPresent()) {
                return headline(result, workload, threads.get());
            }
        }
        return lines.stream()
                .filter(line -> line.ratio() != null)
                .max(Comparator.comparingDouble(Findings::mid))
                .map(line -> String.format(
                        Locale.ROOT,
                        "Memshard with its defaults did not take part. The highest ratio to %s is that of %s: %s at %d"
                                + " threads.",
                        result.plan().baseline(),
                        line.contender(),
                        Numbers.ratio(mid(line)),
                        line.condition().threads()))
                .orElse("No contender finished a round together with the baseline, so there is no ratio to report.");
    }

    private static String headline(ComparisonResult result, Workload workload, int threads) {
        ContenderSummary ours = ours(workload, threads).orElseThrow();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "At %d %s, %s made %s operations a second, %s times those of %s (%s)",
                threads,
                threads == 1 ? "thread" : "threads",
                workload.label(ours),
                Numbers.compact(ours.operationsPerSecond()),
                Numbers.ratio(mid(ours)),
                result.plan().baseline(),
                interval(ours.ratio())));
        workload.at(threads).stream()
                .filter(line -> line.contender().equals("template"))
                .map(line -> result.ratio(ours, line, SliceResult::throughput))
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(ratio -> text.append(String.format(
                        Locale.ROOT,
                        " and %s times those of template, a pool of %d clients",
                        Numbers.ratio(ratio.mid()),
                        result.plan().poolSize())));
        text.append(". This is its best cell of this workload; ");
        long lost = Loss.of(result).stream()
                .filter(loss -> loss.measure().equals(Loss.THROUGHPUT))
                .map(Loss::condition)
                .distinct()
                .count();
        long cells =
                result.slices().stream().map(SliceResult::condition).distinct().count();
        return text.append(
                        lost == 0
                                ? "no other contender was faster in any of the " + cells + " cells."
                                : "another contender was, or may be, faster in " + lost + " of " + cells
                                        + " cells, listed under \u201cWhere Memshard loses\u201d.")
                .toString();
    }

    private static String interval(@Nullable Interval ratio) {
        return ratio != null && ratio.isKnown()
                ? "95 % interval " + Numbers.ratio(ratio.low()) + " to " + Numbers.ratio(ratio.high())
                : "one JVM, so no interval";
    }

    /** How it was measured, in one paragraph, with what cannot be concluded from it. */
    static String basis(ComparisonResult result) {
        ComparisonResult.Plan plan = result.plan();
        return String.format(
                Locale.ROOT,
                "Measured on %d CPUs against memcached %s at %s, in %d %s. In each, contenders took turns in shuffled"
                        + " order, in %d rounds of %d ms slices. A ratio is formed in each round, to both runs of %s;"
                        + " its interval is a bootstrap over forks and the rounds in them. Faster, slower and equal mean"
                        + " that the whole interval is beyond 5 %% or within. The callers are a closed loop, so a latency"
                        + " here is mostly waiting in line, not what a lightly loaded service sees. Ratios on another"
                        + " machine, or with the server across a network, will be different. Noise: %s.%s%s",
                result.environment().cpus(),
                result.environment().serverVersion(),
                result.environment().server(),
                plan.forks(),
                plan.forks() == 1 ? "JVM" : "JVMs, each with a server of its own unless one was named",
                plan.rounds(),
                plan.sliceMillis(),
                plan.baseline(),
                noise(result),
                result.isNoisy()
                        ? " That is a wide margin: the machine was busy with something else, and this run is fit to"
                                + " show orders of magnitude only."
                        : "",
                plan.busy().isEmpty() ? "" : " The machine was busy at the start: " + plan.busy() + ".");
    }

    /** What the second run of the baseline says of the noise. */
    static String noise(ComparisonResult result) {
        List<Interval> again = result.summaries().stream()
                .filter(ContenderSummary::isAgain)
                .map(ContenderSummary::ratio)
                .filter(ratio -> ratio != null)
                .toList();
        if (again.isEmpty()) {
            return "not measured: the baseline ran once in each round";
        }
        double low = again.stream()
                .mapToDouble(ratio -> ratio.isKnown() ? ratio.low() : ratio.mid())
                .min()
                .orElse(1);
        double high = again.stream()
                .mapToDouble(ratio -> ratio.isKnown() ? ratio.high() : ratio.mid())
                .max()
                .orElse(1);
        return String.format(
                Locale.ROOT,
                "%s raced against itself had %s from %s to %s over all conditions",
                result.plan().baseline(),
                result.hasIntervals() ? "intervals" : "ratios",
                Numbers.ratio(low),
                Numbers.ratio(high));
    }

    private static Optional<ContenderSummary> ours(Workload workload, int threads) {
        return Loss.ours(workload.at(threads));
    }

    private static double mid(ContenderSummary line) {
        Interval ratio = line.ratio();
        return ratio == null ? 0 : ratio.mid();
    }
}
