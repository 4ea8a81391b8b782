// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import io.memshard.bench.statistics.PairedRatio;
import java.util.ArrayList;
import java.util.List;

/**
 * What the judge says of each pair of {@link Planted}.
 *
 * <p>Threading: immutable.
 *
 * @param blocksOfPair blocks that belong to one pair
 * @param margin of the judge
 */
public record PlantedVerdicts(int blocksOfPair, Margin margin) {

    /** A row for each effect; pairs that were not measured whole are left out. */
    public List<Calibration.Row> rows(List<ForkResult> data, Profile profile) {
        List<Calibration.Row> rows = new ArrayList<>();
        for (double effect : Planted.EFFECTS) {
            rows.add(row(effect, intervals(data, profile, Planted.arm(effect))));
        }
        return rows;
    }

    private List<Interval> intervals(List<ForkResult> data, Profile profile, String arm) {
        int last = data.stream().mapToInt(fork -> fork.key().block()).max().orElse(0);
        List<Interval> intervals = new ArrayList<>();
        for (int pair = 0; pair < last / blocksOfPair; pair++) {
            List<Integer> blocks = Planted.blocksOf(pair, blocksOfPair);
            Forks forks = new Forks(
                    data.stream()
                            .filter(fork -> blocks.contains(fork.key().block()))
                            .toList(),
                    "planted",
                    profile);
            List<PairedRatio.Block> pairs = forks.pairs(arm, Planted.BASE, Planted.condition(), Metric.THROUGHPUT);
            if (pairs.size() == blocksOfPair) {
                intervals.add(PairedRatio.of(pairs, Bootstrap.STANDARD));
            }
        }
        return intervals;
    }

    private Calibration.Row row(double effect, List<Interval> intervals) {
        return new Calibration.Row(
                effect,
                share(intervals, Margin.Position.ABOVE),
                share(intervals, Margin.Position.BELOW),
                share(intervals, Margin.Position.EQUAL),
                (double) intervals.stream()
                                .filter(interval -> interval.contains(1 + effect))
                                .count()
                        / intervals.size());
    }

    private double share(List<Interval> intervals, Margin.Position position) {
        return (double) intervals.stream()
                        .filter(interval -> margin.of(interval) == position)
                        .count()
                / intervals.size();
    }
}
