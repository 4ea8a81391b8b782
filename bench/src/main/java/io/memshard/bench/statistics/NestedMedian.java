// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Median over the forks of the medians over their rounds. Its interval comes from a hierarchical bootstrap, which draws
 * forks, and rounds within each drawn fork. The replicate is the fork, because the rounds of one JVM share what differs
 * between JVMs: compiled code, sockets and workers of the server. Threading: stateless; arrays are left unchanged.
 */
public final class NestedMedian {

    private NestedMedian() {}

    /**
     * Returns the median of positive figures and its interval. The ends are NaN if there is only one fork.
     *
     * @param forks an array for each fork, at least one, with a figure for each round of the fork, at least one
     * @throws IllegalArgumentException if a fork is empty or a figure is not positive
     */
    public static Interval of(List<double[]> forks, Bootstrap bootstrap) {
        List<double[]> logarithms = forks.stream().map(Sample::logarithms).toList();
        double estimate =
                Sample.median(logarithms.stream().mapToDouble(Sample::median).toArray());
        return bootstrap
                .interval(
                        logarithms,
                        estimate,
                        (drawn, random) -> Sample.median(drawn.stream()
                                .mapToDouble(fork -> Sample.median(drawn(fork, random)))
                                .toArray()))
                .exp();
    }

    private static double[] drawn(double[] rounds, SplittableRandom random) {
        double[] drawn = new double[rounds.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = rounds[random.nextInt(rounds.length)];
        }
        return drawn;
    }
}
