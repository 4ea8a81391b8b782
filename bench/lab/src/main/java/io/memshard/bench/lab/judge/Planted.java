// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import io.memshard.bench.statistics.PairedRatio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Experiment with arms that do the same work, and arms that do less work by a known share. It shows whether the judge
 * finds the known difference, with the noise of this machine.
 *
 * <p>Each pair has separate blocks. Threading: immutable.
 */
public final class Planted extends Experiment {

    /** Arm that all others are compared with. */
    static final String BASE = "base";

    private static final int STEPS = 20_000;
    private static final long FACTOR = 6364136223846793005L;
    private static final Duration WINDOW = Duration.ofMillis(400);

    /** Condition of all arms. */
    static final Condition CONDITION = Condition.ofThreads(2);

    private final int blocks;

    /** Creates {@code pairs} pairs of {@code blocksOfPair} blocks for each effect. */
    public Planted(int pairs, int blocksOfPair) {
        super("planted", "piece of work");
        this.blocks = pairs * blocksOfPair;
    }

    /** Returns the name of the arm with that effect. */
    static String arm(double effect) {
        return "ahead-" + Math.round(100 * effect);
    }

    @Override
    public List<Arm> arms() {
        List<Arm> arms = new ArrayList<>();
        arms.add(Arm.of(BASE, STEPS + " steps", setup -> work(STEPS)));
        for (double effect : Calibration.EFFECTS) {
            int steps = (int) Math.round(STEPS / (1 + effect));
            arms.add(Arm.of(arm(effect), steps + " steps", setup -> work(steps)));
        }
        return arms;
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        return Plan.of(Plan.cross(List.of(CONDITION), armNames()), blocks, WINDOW, WINDOW);
    }

    /** Returns an arm whose cycle is a chain of steps, each of which needs the previous one. */
    private static OpenedArm work(int steps) {
        return caller -> number -> {
            long value = number + caller;
            for (int i = 0; i < steps; i++) {
                value = value * FACTOR + 1;
            }
            return value;
        };
    }

    /**
     * Returns a row for each effect, with the verdicts on all pairs. A pair has {@code blocksOfPair} blocks; pairs with
     * a missing block are left out.
     */
    public static List<Calibration.Row> rows(List<ForkResult> data, Profile profile, int blocksOfPair, Margin margin) {
        List<Calibration.Row> rows = new ArrayList<>();
        for (double effect : Calibration.EFFECTS) {
            rows.add(Calibration.Row.of(effect, intervals(data, profile, arm(effect), blocksOfPair), margin));
        }
        return rows;
    }

    private static List<Interval> intervals(List<ForkResult> data, Profile profile, String arm, int blocksOfPair) {
        Map<Integer, List<ForkResult>> byPair = data.stream()
                .collect(Collectors.groupingBy(
                        fork -> (fork.key().block() - 1) / blocksOfPair, TreeMap::new, Collectors.toList()));
        return byPair.values().stream()
                .map(forks -> new Forks(forks, "planted", profile).pairs(arm, BASE, CONDITION, Metric.THROUGHPUT))
                .filter(pairs -> pairs.size() == blocksOfPair)
                .map(pairs -> PairedRatio.of(pairs, Bootstrap.STANDARD))
                .toList();
    }
}
