// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.Map;

/**
 * System that is open, in a separate fork.
 *
 * <p>Threading: each calling thread calls {@link #cycle}. The thread that measures calls the other methods, while no
 * cycle runs.
 */
@FunctionalInterface
public interface OpenedArm extends AutoCloseable {

    /** Returns the cycle that the calling thread with this number, from 0, repeats. */
    Cycle cycle(int caller);

    /**
     * Returns figures in addition to throughput and latency, by name in lower case with underscores, such as {@code
     * physical_connections} or {@code opened_above_maximum}. Called once, after the load and before {@link #close}.
     */
    default Map<String, Double> figures() {
        return Map.of();
    }

    /** Closes everything; does nothing by default. No cycle runs during the call or after it. */
    @Override
    default void close() throws Exception {}

    /** One unit of work. Confined to its caller. */
    @FunctionalInterface
    interface Cycle {

        /**
         * Runs one unit of work.
         *
         * @param number number of cycles that this caller began before, from 0
         * @return a value that depends on the work; the lab adds up the values, so that the JVM cannot optimize the
         *     work away
         * @throws Exception if the unit failed or gave a wrong result; the lab counts the failure and the caller
         *     continues
         */
        long run(long number) throws Exception;
    }
}
