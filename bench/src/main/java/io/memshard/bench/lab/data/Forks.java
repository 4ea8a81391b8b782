// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.statistics.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Results of one experiment and one profile, without lock profiles. Only the last attempt of a fork counts. */
public final class Forks {

    private final Map<ForkKey, List<ForkResult>> timed = new LinkedHashMap<>();

    public Forks(Collection<ForkResult> all, String experiment, Profile profile) {
        all.stream()
                .filter(fork -> fork.key().experiment().equals(experiment)
                        && fork.key().profile() == profile
                        && !fork.key().profiled())
                .sorted(Comparator.comparingInt(ForkResult::attempt))
                .forEach(this::add);
        timed.values().forEach(rows -> rows.removeIf(fork -> !fork.isThere()));
        timed.values().removeIf(List::isEmpty);
    }

    private void add(ForkResult fork) {
        List<ForkResult> rows = timed.computeIfAbsent(fork.key(), key -> new ArrayList<>());
        rows.removeIf(row -> row.attempt() < fork.attempt());
        rows.add(fork);
    }

    public List<ForkResult> all() {
        return timed.values().stream().flatMap(List::stream).toList();
    }

    public boolean has(String arm, Condition condition) {
        return !figures(arm, condition, Metric.THROUGHPUT).isEmpty();
    }

    public SortedSet<String> arms() {
        return timed.keySet().stream().map(ForkKey::openedArm).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns each arm under each condition that has results. */
    public List<Plan.Cell> cells(Comparator<Condition> order) {
        return timed.keySet().stream()
                .map(key -> new Plan.Cell(key.openedArm(), key.condition()))
                .distinct()
                .sorted(Comparator.comparing(Plan.Cell::condition, order).thenComparing(Plan.Cell::arm))
                .toList();
    }

    public List<Integer> threads(String arm, Condition parameters) {
        return timed.keySet().stream()
                .filter(key -> key.openedArm().equals(arm)
                        && key.condition().withThreads(parameters.threads()).equals(parameters))
                .map(key -> key.condition().threads())
                .distinct()
                .sorted()
                .toList();
    }

    public Map<Integer, double[]> figures(String arm, Condition condition, String metric) {
        return figures(key -> key.openedArm().equals(arm), condition, metric);
    }

    private Map<Integer, double[]> figures(Predicate<ForkKey> arm, Condition condition, String metric) {
        Map<Integer, double[]> figures = new LinkedHashMap<>();
        all().forEach(fork -> {
            ForkKey key = fork.key();
            double figure = Metric.of(metric, fork);
            if (arm.test(key) && key.condition().equals(condition) && Double.isFinite(figure)) {
                figures.merge(key.block(), new double[] {figure}, Forks::joined);
            }
        });
        return figures;
    }

    private static double[] joined(double[] some, double[] more) {
        return DoubleStream.concat(Arrays.stream(some), Arrays.stream(more)).toArray();
    }

    public double[] values(String arm, Condition condition, String metric) {
        return figures(arm, condition, metric).values().stream()
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }

    public double median(String arm, Condition condition, String metric) {
        return Sample.median(values(arm, condition, metric));
    }

    public List<PairedRatio.Block> pairs(String numerator, String denominator, Condition condition, String metric) {
        return pairs(figures(numerator, condition, metric), figures(denominator, condition, metric));
    }

    public List<PairedRatio.Block> again(String arm, Condition condition) {
        return pairs(
                figures(key -> key.arm().equals(arm + ForkKey.AGAIN), condition, Metric.THROUGHPUT),
                figures(key -> key.arm().equals(arm), condition, Metric.THROUGHPUT));
    }

    private static List<PairedRatio.Block> pairs(
            Map<Integer, double[]> numerators, Map<Integer, double[]> denominators) {
        List<PairedRatio.Block> pairs = new ArrayList<>();
        numerators.forEach((block, figures) -> {
            double[] others = denominators.get(block);
            if (others != null && isPositive(figures) && isPositive(others)) {
                pairs.add(new PairedRatio.Block(figures, others));
            }
        });
        return pairs;
    }

    private static boolean isPositive(double[] figures) {
        return Arrays.stream(figures).allMatch(figure -> figure > 0);
    }

    /** Returns an array for each complete block: the means of the first arm, then those of the next arm. */
    public List<double[]> curves(List<String> arms, Condition parameters, List<Integer> threads, String metric) {
        List<Map<Integer, double[]>> all = new ArrayList<>();
        for (String arm : arms) {
            threads.forEach(number -> all.add(figures(arm, parameters.withThreads(number), metric)));
        }
        return all.get(0).keySet().stream()
                .filter(block -> all.stream().allMatch(each -> each.containsKey(block)))
                .map(block -> all.stream()
                        .mapToDouble(each -> Sample.mean(Objects.requireNonNull(each.get(block))))
                        .toArray())
                .toList();
    }
}
