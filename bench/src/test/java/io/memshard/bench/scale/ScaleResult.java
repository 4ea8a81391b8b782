// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.memshard.bench.result.Environment;
import io.memshard.bench.result.Quartiles;
import java.util.List;

/**
 * The figures of clients with more and more servers: what is written, and what the table follows from.
 * Threading: immutable.
 *
 * @param environment where they were measured
 * @param plan what was measured
 * @param figures in no particular order
 */
public record ScaleResult(Environment environment, Plan plan, List<ScaleFigure> figures) {

    /**
     * Result of the study.
     *
     * @param connections to each server
     * @param valueSize of the items that are got, in bytes
     * @param rounds in which each client is timed once; in the first few its memory is taken
     * @param sliceMillis how long one client is timed in a round
     * @param seed of keys and orders
     */
    public record Plan(int connections, int valueSize, int rounds, int sliceMillis, long seed) {}

    /** Copies the list. */
    public ScaleResult {
        figures = List.copyOf(figures);
    }

    /** Returns the numbers of servers, ascending. */
    public List<Integer> servers() {
        return figures.stream().map(ScaleFigure::servers).distinct().sorted().toList();
    }

    /**
     * Returns the quartiles over the rounds.
     *
     * @throws IllegalArgumentException if this was not measured
     */
    public Quartiles quartiles(int servers, ScaleMeasure measure) {
        return Quartiles.of(figures.stream()
                .filter(figure -> figure.measure() == measure && figure.servers() == servers)
                .mapToDouble(ScaleFigure::value)
                .toArray());
    }
}
