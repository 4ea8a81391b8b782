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

/**
 * Result of one fork: one JVM, one arm, one condition. Threading: immutable.
 *
 * @param key identity of the fork
 * @param attempt number of the attempt, from 1; a fork that the host disturbed runs again, and both attempts stay in
 *     the data
 * @param failure reason why the fork failed; empty if it ran
 * @param measures readings that every fork has; empty if the fork failed
 * @param figures additional figures that the arm reports
 * @param cyclesByCaller number of cycles that each caller ended
 */
public record ForkResult(
        ForkKey key,
        int attempt,
        String failure,
        Map<Measure, Double> measures,
        SortedMap<String, Double> figures,
        List<Long> cyclesByCaller) {

    /** Copies the collections. */
    public ForkResult {
        measures = measures.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(measures));
        figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
        cyclesByCaller = List.copyOf(cyclesByCaller);
    }

    /** Returns the result of a fork that ran, at its first attempt. */
    public static ForkResult of(
            ForkKey key, Map<Measure, Double> measures, Map<String, Double> figures, List<Long> cyclesByCaller) {
        return new ForkResult(key, 1, "", measures, new TreeMap<>(figures), cyclesByCaller);
    }

    /** Returns the result of a fork that failed, at its first attempt. */
    public static ForkResult failed(ForkKey key, String reason) {
        return new ForkResult(key, 1, reason.replaceAll("\\s+", " "), Map.of(), new TreeMap<>(), List.of());
    }

    /** Returns whether the fork ran. */
    public boolean isThere() {
        return failure.isEmpty();
    }

    /** Returns one measure; NaN if the fork failed. */
    public double get(Measure measure) {
        return measures.getOrDefault(measure, Double.NaN);
    }

    /** Returns a copy with another number of the attempt. */
    public ForkResult attempted(int number) {
        return new ForkResult(key, number, failure, measures, figures, cyclesByCaller);
    }

    /**
     * Identity of a fork, unique within a run. Threading: immutable.
     *
     * @param experiment name of the experiment
     * @param profile profile of the machine: cloud or physical
     * @param block number of the block, from 1
     * @param arm name of the arm; in the A/A run, the baseline's name followed by {@value #AGAIN}
     * @param condition condition under which the arm ran
     * @param profiled whether the fork recorded a lock profile; such a fork is not timed
     */
    public record ForkKey(
            String experiment, Profile profile, int block, String arm, Condition condition, boolean profiled)
            implements Serializable {

        /** Suffix of the baseline's name in its second run. */
        public static final String AGAIN = "-again";

        /** Returns the name of the arm that the fork opens, without {@link #AGAIN}. */
        public String openedArm() {
            return arm.endsWith(AGAIN) ? arm.substring(0, arm.length() - AGAIN.length()) : arm;
        }

        /** Returns a readable name of the fork. */
        public String label() {
            return experiment + " " + arm + " " + condition.label() + (profiled ? " (lock profile)" : "");
        }
    }
}
