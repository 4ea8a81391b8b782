// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.Map;

/** System that is open. The thread that measures calls all methods but {@link #cycle}, while no cycle runs. */
@FunctionalInterface
public interface OpenedArm extends AutoCloseable {

    /** Returns the cycle that the calling thread with this number, from 0, repeats. */
    Cycle cycle(int caller);

    /** Returns further figures by name. Called once, after the load and before {@link #close}. */
    default Map<String, Double> figures() {
        return Map.of();
    }

    /** Closes everything. No cycle runs during the call or after it. */
    @Override
    default void close() throws Exception {}

    @FunctionalInterface
    interface Cycle {

        /**
         * Runs one unit of work. Returns a value that depends on the work, so that the JVM cannot optimize the work
         * away. Throws if the unit failed or gave a wrong result, which the lab counts.
         */
        long run(long number) throws Exception;
    }
}
