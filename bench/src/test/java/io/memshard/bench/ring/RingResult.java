// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.result.Environment;
import io.memshard.bench.result.Quartiles;
import java.util.List;
import java.util.Optional;

/**
 * The figures of all rings: what is written, and what every table and chart follows from. Threading: immutable.
 *
 * @param environment where they were measured
 * @param plan what was measured
 * @param figures in no particular order
 */
public record RingResult(Environment environment, Plan plan, List<RingFigure> figures) {

    /**
     * Result of the study.
     *
     * @param keysPerServer keys that are placed, for each server; at least {@code leastKeys} together
     * @param leastKeys see there
     * @param fleets sets of servers, which differ in their names
     * @param rounds in which each ring is timed once
     * @param sliceMillis CPU time of one ring in a round
     * @param seed of keys and orders
     */
    public record Plan(int keysPerServer, int leastKeys, int fleets, int rounds, int sliceMillis, long seed) {}

    /** Copies the list. */
    public RingResult {
        figures = List.copyOf(figures);
    }

    /** Returns the rings by name, sorted. */
    public List<String> rings() {
        return figures.stream().map(RingFigure::ring).distinct().sorted().toList();
    }

    /** Returns the numbers of servers for which there is {@code measure}, ascending. */
    public List<Integer> servers(RingMeasure measure) {
        return figures.stream()
                .filter(figure -> figure.measure() == measure)
                .map(RingFigure::servers)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the quartiles over the samples; empty if this was not measured. */
    public Optional<Quartiles> quartiles(String ring, int servers, RingMeasure measure) {
        double[] values = figures.stream()
                .filter(figure -> figure.measure() == measure
                        && figure.servers() == servers
                        && figure.ring().equals(ring))
                .mapToDouble(RingFigure::value)
                .toArray();
        return values.length == 0 ? Optional.empty() : Optional.of(Quartiles.of(values));
    }
}
