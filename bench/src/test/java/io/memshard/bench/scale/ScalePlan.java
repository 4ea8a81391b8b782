// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import java.util.List;

/**
 * With how many servers is measured, and how. Threading: immutable.
 *
 * @param servers numbers of servers, ascending
 * @param sizes connections, values and rounds
 */
record ScalePlan(List<Integer> servers, ScaleResult.Plan sizes) {

    /** Rounds before the first that counts, in which the compiler finds out what there is. */
    static final int WARM_UP_ROUNDS = 3;

    /** Rounds in which memory and threads are taken, at most. They differ by little, and each takes seconds. */
    static final int MOST_FOOTPRINTS = 3;

    static ScalePlan of(List<Integer> servers, int connections, long seed, boolean quick) {
        return new ScalePlan(
                servers.stream().distinct().sorted().toList(),
                new ScaleResult.Plan(connections, 100, quick ? 3 : 9, quick ? 100 : 1_000, seed));
    }
}
