// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Runs of the lab that never took place, with figures that are known. */
public final class Runs {

    private Runs() {}

    /** Returns the facts of a full run on a quiet machine of eight processors. */
    public static RunFacts facts() {
        return new RunFacts(Map.of(
                "size", "full", "cpus", "8", "busy", "", "commit", "0123456789ab", "profiles", "cloud", "claims", "x"));
    }

    /** Returns the same with another fact. */
    public static RunFacts facts(String name, String value) {
        Map<String, String> facts = new HashMap<>(facts().values());
        facts.put(name, value);
        return new RunFacts(facts);
    }

    /**
     * Ten blocks of an arm of the experiment {@code e}.
     *
     * @param noise standard deviation of the logarithm of each fork
     * @param throughput at each number of threads
     */
    public static List<ForkResult> arm(String arm, double noise, Map<Integer, Double> throughput) {
        List<ForkResult> forks = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(arm.hashCode());
        for (int block = 1; block <= 10; block++) {
            for (Map.Entry<Integer, Double> cell : throughput.entrySet()) {
                double level = 1 + 0.1 * block;
                forks.add(fork(
                        block,
                        arm,
                        Condition.ofThreads(cell.getKey()),
                        cell.getValue() * level * Math.exp(noise * random.nextGaussian())));
            }
        }
        return forks;
    }

    /** One fork of a second with {@code cycles}. */
    public static ForkResult fork(int block, String arm, Condition condition, double cycles) {
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            measures.put(measure, 1.0);
        }
        measures.put(Measure.CYCLES, cycles);
        return ForkResult.of(
                new ForkKey("e", Profile.CLOUD, block, arm, condition, false),
                measures,
                Map.of("physical_connections", 11.0),
                List.of((long) cycles));
    }
}
