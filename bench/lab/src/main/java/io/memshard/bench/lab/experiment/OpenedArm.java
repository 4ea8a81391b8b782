// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * System that is open, in a separate fork.
 *
 * <p>Threading: {@link #cycle} is called on each calling thread; the other methods on the thread that measures. Only
 * {@link #windowBegins} is called while cycles run.
 */
@FunctionalInterface
public interface OpenedArm extends AutoCloseable {

    /** Returns the cycle that the calling thread with this number, from 0, repeats. */
    Cycle cycle(int caller);

    /** Notes that the warm-up has ended and the window begins. Data gathered for {@link #figures} may be dropped. */
    default void windowBegins() {}

    /**
     * Returns figures in addition to throughput and latency, by name in lower case with underscores, such as {@code
     * physical_connections} or {@code opened_above_maximum}. Called once, after the load and before {@link #close}.
     */
    default Map<String, Double> figures() {
        return Map.of();
    }

    /** Closes everything, by default nothing; no cycle is under way, and none follows. */
    @Override
    default void close() throws Exception {}

    /** One unit of work. Confined to its caller. */
    @FunctionalInterface
    interface Cycle {

        /**
         * Does one unit.
         *
         * @param number how many cycles this caller began before, from 0
         * @return anything that depends on the work; the lab adds these up, so that the work cannot be left out
         * @throws Exception if the unit failed or gave a wrong result; it is counted and the caller continues
         */
        long run(long number) throws Exception;

        /**
         * Begins one unit of an asynchronous arm in an open loop, and returns a future of its end. Null, as by default,
         * if {@link #run} has to do it.
         */
        default @Nullable CompletableFuture<?> begin() {
            return null;
        }
    }
}
