// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.Map;

/** System that is open. The measuring thread calls all methods except {@link #cycle}, while no cycle runs. */
@FunctionalInterface
public interface OpenedArm extends AutoCloseable {

    /** Returns the cycle that the calling thread repeats. {@code caller} is the thread's number, from 0. */
    Cycle cycle(int caller);

    /** Returns further figures by name. Called once, after the load and before {@link #close}. */
    default Map<String, Double> figures() {
        return Map.of();
    }

    @Override
    default void close() throws Exception {}

    @FunctionalInterface
    interface Cycle {

        /**
         * Runs one unit of work. Returns a value that depends on the work, so that the JVM cannot remove the work.
         * Throws an exception if the work failed or gave a wrong result.
         */
        long run(long number) throws Exception;
    }
}
