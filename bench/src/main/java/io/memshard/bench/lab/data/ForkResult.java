// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import java.io.Serializable;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Result of one fork (a JVM that measures one system), or the {@code failure} of this fork. */
public record ForkResult(
        ForkKey key,
        int attempt,
        String failure,
        Map<Measure, Double> measures,
        SortedMap<String, Double> figures,
        List<Long> cyclesByCaller) {

    public ForkResult {
        measures = measures.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(measures));
        figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
        cyclesByCaller = List.copyOf(cyclesByCaller);
    }

    public static ForkResult of(
            ForkKey key, Map<Measure, Double> measures, Map<String, Double> figures, List<Long> cyclesByCaller) {
        return new ForkResult(key, 1, "", measures, new TreeMap<>(figures), cyclesByCaller);
    }

    public static ForkResult failed(ForkKey key, String reason) {
        return new ForkResult(key, 1, reason.replaceAll("\\s+", " "), Map.of(), new TreeMap<>(), List.of());
    }

    public boolean isThere() {
        return failure.isEmpty();
    }

    public double get(Measure measure) {
        return measures.getOrDefault(measure, Double.NaN);
    }

    public ForkResult attempted(int number) {
        return new ForkResult(key, number, failure, measures, figures, cyclesByCaller);
    }

    /** Identity of a fork. If an arm runs again, for comparison with itself, {@value #AGAIN} is added to its name. */
    public record ForkKey(
            String experiment, Profile profile, int block, String arm, Condition condition, boolean profiled)
            implements Serializable {

        public static final String AGAIN = "-again";

        public String openedArm() {
            return arm.endsWith(AGAIN) ? arm.substring(0, arm.length() - AGAIN.length()) : arm;
        }

        public String label() {
            return experiment + " " + arm + " " + condition.label() + (profiled ? " (lock profile)" : "");
        }
    }
}
