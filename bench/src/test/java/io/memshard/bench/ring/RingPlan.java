// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import java.util.List;

/**
 * Plan of the study: rings, and numbers of servers. Threading: immutable.
 *
 * @param rings names of {@code Ring}
 * @param servers numbers of servers
 * @param sizes keys, fleets and rounds
 */
record RingPlan(List<String> rings, List<Integer> servers, RingResult.Plan sizes) {

    /** Rounds before the first that counts, in which the compiler finds out what there is. */
    static final int WARM_UP_ROUNDS = 3;

    static RingPlan of(List<String> rings, List<Integer> servers, long seed, boolean quick) {
        return new RingPlan(
                rings,
                servers,
                quick
                        ? new RingResult.Plan(20, 20_000, 1, 3, 2, seed)
                        : new RingResult.Plan(1_000, 100_000, 3, 9, 20, seed));
    }

    /** Returns the number of keys that are placed on {@code count} servers. */
    int keys(int count) {
        return Math.max(sizes.leastKeys(), count * sizes.keysPerServer());
    }
}
