package io.memshard.bench.report;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Quartiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the numbers say, computed from them and not written by hand: the first sentences of the report,
 * the noise floor, and every cell in which somebody is ahead of us.
 *
 * <p>Threading: stateless.
 */
final class Findings {

    /** A baseline that differs from itself by this factor says that the run is not to be trusted. */
    private static final double NOISY = 1.3;

    private Findings() {}

    /**
     * A cell in which another contender is ahead of the best mode of Memshard.
     *
     * @param workload the load
     * @param threads number of callers
     * @param measure what is compared
     * @param contender who is ahead
     * @param theirs its figure
     * @param ours the best mode of Memshard in this cell and measure
     * @param our its figure
     * @param factor how far ahead, above 1
     * @param withinNoise true if the quartiles of the two overlap, so that another run may say otherwise
     */
    record Loss(
            String workload,
            int threads,
            String measure,
            String contender,
            double theirs,
            String ours,
            double our,
            double factor,
            boolean withinNoise) {}

    /** The first paragraph. */
    static String headline(ComparisonResult result) {
        for (Workload workload : Workload.of(result.summaries())) {
            Optional<Integer> threads = workload.threads().stream()
                    .filter(number -> best(workload, number).isPresent())
                    .max(Comparator.comparingDouble(number -> ratio(best(workload, number))));
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
        ContenderSummary ours = best(workload, threads).orElseThrow();
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
        long lost = losses(result).stream()
                .filter(loss -> loss.measure().equals("operations a second"))
                .map(loss -> loss.workload() + loss.threads())
                .distinct()
                .count();
        long cells = Workload.of(result.summaries()).stream()
                .mapToLong(each -> each.threads().size())
                .sum();
        return text.append(
                        lost == 0
                                ? "no other contender was faster in any of the " + cells + " cells."
                                : "somebody else was faster in " + lost + " of " + cells
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
                isNoisy(result)
                        ? " That is a wide margin: the machine was busy with something else, and this run is fit to"
                                + " show orders of magnitude only."
                        : "");
    }

    private static boolean isNoisy(ComparisonResult result) {
        return result.summaries().stream()
                .filter(Workload::isAgain)
                .map(ContenderSummary::ratio)
                .anyMatch(ratio -> ratio != null && (ratio.lower() < 1 / NOISY || ratio.upper() > NOISY));
    }

    /** What the second run of the baseline says of the noise. */
    static String noiseFloor(ComparisonResult result) {
        List<Quartiles> again = result.summaries().stream()
                .filter(Workload::isAgain)
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

    /** Every cell in which a contender is ahead of the best mode of Memshard, the farthest first. */
    static List<Loss> losses(ComparisonResult result) {
        List<Loss> losses = new ArrayList<>();
        for (Workload workload : Workload.of(result.summaries())) {
            for (int threads : workload.threads()) {
                best(workload, threads).ifPresent(ours -> throughputLosses(losses, workload, ours));
                lessIsBetter(
                        losses,
                        workload,
                        threads,
                        "client CPU \u00b5s per operation",
                        ContenderSummary::cpuMicrosPerOperation);
                lessIsBetter(
                        losses,
                        workload,
                        threads,
                        "p99 \u00b5s",
                        line -> line.latency().p99Micros());
            }
        }
        losses.sort(Comparator.comparing(Loss::withinNoise)
                .thenComparing(Comparator.comparingDouble(Loss::factor).reversed()));
        return losses;
    }

    private static void throughputLosses(List<Loss> losses, Workload workload, ContenderSummary ours) {
        int threads = ours.condition().threads();
        for (ContenderSummary other : workload.at(threads)) {
            Quartiles theirs = other.ratio();
            Quartiles our = ours.ratio();
            if (!Workload.isMemshard(other) && theirs != null && our != null && theirs.median() > our.median()) {
                losses.add(new Loss(
                        workload.title(),
                        threads,
                        "operations a second",
                        workload.label(other),
                        other.operationsPerSecond(),
                        workload.label(ours),
                        ours.operationsPerSecond(),
                        theirs.median() / our.median(),
                        theirs.lower() <= our.upper()));
            }
        }
    }

    private static void lessIsBetter(
            List<Loss> losses, Workload workload, int threads, String measure, ToDoubleFunction<ContenderSummary> of) {
        List<ContenderSummary> measured = workload.at(threads).stream()
                .filter(line -> of.applyAsDouble(line) > 0)
                .toList();
        Optional<ContenderSummary> best =
                measured.stream().filter(Workload::isMemshard).min(Comparator.comparingDouble(of));
        for (ContenderSummary other : measured) {
            if (best.isPresent() && !Workload.isMemshard(other)) {
                double our = of.applyAsDouble(best.get());
                double theirs = of.applyAsDouble(other);
                if (theirs < our) {
                    losses.add(new Loss(
                            workload.title(),
                            threads,
                            measure,
                            workload.label(other),
                            theirs,
                            workload.label(best.get()),
                            our,
                            our / theirs,
                            false));
                }
            }
        }
    }

    /** The mode of Memshard with the highest ratio at {@code threads}. */
    private static Optional<ContenderSummary> best(Workload workload, int threads) {
        return workload.at(threads).stream()
                .filter(line -> Workload.isMemshard(line) && line.ratio() != null)
                .max(Comparator.comparingDouble(line -> median(line.ratio())));
    }

    private static double ratio(Optional<ContenderSummary> line) {
        return line.map(summary -> median(summary.ratio())).orElse(0.0);
    }

    private static double median(@Nullable Quartiles ratio) {
        return ratio == null ? 0 : ratio.median();
    }
}
