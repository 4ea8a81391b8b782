// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Noise in the throughput of forks, as factors around 1. Threading: immutable.
 *
 * @param ofABlock source of the factor that all forks of a block share
 * @param cell source of a cell for each pair of arms; the cell is the source of the factor of each fork of the pair
 */
public record ForkNoise(
        ToDoubleFunction<SplittableRandom> ofABlock,
        Function<SplittableRandom, ToDoubleFunction<SplittableRandom>> cell) {

    /** Smallest number of forks that a cell needs as a sample of its noise. */
    static final int FEWEST_FORKS = 5;

    /**
     * Returns noise whose logarithms are normally distributed, with these standard deviations for blocks and for forks.
     */
    public static ForkNoise normal(double ofBlocks, double ofForks) {
        return new ForkNoise(
                random -> Math.exp(ofBlocks * random.nextGaussian()),
                random -> drawing -> Math.exp(ofForks * drawing.nextGaussian()));
    }

    /**
     * Returns noise drawn from the forks of a run, so that it has the same modes and outliers, as frequently. From the
     * logarithm of each throughput, the means of its arm and then of its block are subtracted. The rest is scaled to
     * restore the variance. Cells with fewer forks than {@link #FEWEST_FORKS} are left out.
     *
     * @throws IllegalArgumentException if no cell has enough forks
     */
    public static ForkNoise of(Collection<ForkResult> forks) {
        Map<String, Map<ForkKey, Double>> byCondition = new LinkedHashMap<>();
        forks.stream()
                .sorted(Comparator.comparingInt(ForkResult::attempt))
                .filter(fork -> !fork.key().profiled() && fork.isThere() && Metric.of(Metric.THROUGHPUT, fork) > 0)
                .forEach(fork -> byCondition
                        .computeIfAbsent(
                                fork.key().experiment() + " " + fork.key().profile() + " "
                                        + fork.key().condition(),
                                condition -> new LinkedHashMap<>())
                        .put(fork.key(), Math.log(Metric.of(Metric.THROUGHPUT, fork))));
        List<double[]> cells = new ArrayList<>();
        byCondition.values().forEach(condition -> cells.addAll(residuals(condition)));
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("no arm has " + FEWEST_FORKS + " forks under one condition");
        }
        // The noise of blocks cancels out of a ratio within a block.
        return new ForkNoise(random -> 1, random -> {
            double[] residuals = cells.get(random.nextInt(cells.size()));
            return drawing -> Math.exp(residuals[drawing.nextInt(residuals.length)]);
        });
    }

    /** Returns the residuals of each arm: its logarithms minus the means of the arm and of the blocks. */
    private static List<double[]> residuals(Map<ForkKey, Double> logarithms) {
        Map<String, Double> ofArms = logarithms.entrySet().stream()
                .collect(Collectors.groupingBy(
                        fork -> fork.getKey().openedArm(),
                        LinkedHashMap::new,
                        Collectors.averagingDouble(Map.Entry::getValue)));
        ToDoubleFunction<Map.Entry<ForkKey, Double>> withoutArm =
                fork -> fork.getValue() - ofArms.getOrDefault(fork.getKey().openedArm(), 0.0);
        Map<Integer, Double> ofBlocks = logarithms.entrySet().stream()
                .collect(Collectors.groupingBy(fork -> fork.getKey().block(), Collectors.averagingDouble(withoutArm)));
        List<double[]> cells = new ArrayList<>();
        for (String arm : ofArms.keySet()) {
            double[] left = logarithms.entrySet().stream()
                    .filter(fork -> fork.getKey().openedArm().equals(arm))
                    .mapToDouble(fork -> withoutArm.applyAsDouble(fork)
                            - ofBlocks.getOrDefault(fork.getKey().block(), 0.0))
                    .toArray();
            if (left.length >= FEWEST_FORKS) {
                // Subtracting the mean of n forks removed 1/n of their variance.
                double scale = Math.sqrt(left.length / (left.length - 1.0));
                cells.add(Arrays.stream(left).map(each -> each * scale).toArray());
            }
        }
        return cells;
    }
}
