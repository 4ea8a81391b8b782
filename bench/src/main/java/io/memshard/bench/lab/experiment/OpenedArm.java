// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.Map;

/** System under test that is open. Only {@link #cycle} is called by several threads. */
@FunctionalInterface
public interface OpenedArm extends AutoCloseable {

    /** Result of a cycle whose get found no value. */
    long MISS = -1;

    /** Returns the work that the calling thread repeats. {@code caller} is the number of the thread, from 0. */
    Cycle cycle(int caller);

    default Map<String, Double> figures() {
        return Map.of();
    }

    @Override
    default void close() throws Exception {}

    @FunctionalInterface
    interface Cycle {

        /** Does the work once. The result depends on the work, so that the JVM cannot remove the work. */
        long run(long number) throws Exception;
    }
}
