// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import java.time.Duration;
import java.util.List;

/**
 * Plan of lock profiles. Threading: immutable.
 *
 * @param contenders contenders to profile, in this order
 * @param threads numbers of blocking callers; each contender is profiled with each number
 * @param poolSize number of clients in the pool of Template
 * @param window duration of the recorded load, after half as long a warm-up
 */
public record LockPlan(List<ContenderKind> contenders, List<Integer> threads, int poolSize, Duration window) {

    /** Template, Connection, the arrays of spymemcached, and Memshard in the same three shapes. */
    private static final List<ContenderKind> MODES = List.of(
            ContenderKind.TEMPLATE,
            ContenderKind.CONNECTION,
            ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN,
            ContenderKind.SPYMEMCACHED_ARRAY_THREAD_ID,
            ContenderKind.MEMSHARD_SINGLE,
            ContenderKind.MEMSHARD_ROUND_ROBIN,
            ContenderKind.MEMSHARD_STICKY);

    /** Returns the default plan. Quick: at two numbers of threads for 0.6 seconds each, in place of four and three. */
    public static LockPlan standard(boolean quick, int poolSize) {
        return new LockPlan(
                MODES,
                quick ? List.of(8, 64) : List.of(1, 8, 64, 200),
                poolSize,
                Duration.ofMillis(quick ? 600 : 3000));
    }

    /**
     * Returns the plan of the profiles that explain a comparison. It has the default contenders that took part as
     * blocking callers, and the default numbers of threads that took part, or else all that did.
     */
    public static LockPlan explaining(ComparisonResult comparison, boolean quick) {
        LockPlan standard = standard(quick, comparison.plan().poolSize());
        List<ContenderSummary> blocking = comparison.summaries().stream()
                .filter(line -> line.condition().callers() == Condition.Callers.BLOCKING)
                .toList();
        List<Integer> threads = blocking.stream()
                .map(line -> line.condition().threads())
                .distinct()
                .toList();
        List<Integer> common =
                standard.threads.stream().filter(threads::contains).toList();
        return new LockPlan(
                MODES.stream()
                        .filter(kind -> blocking.stream()
                                .anyMatch(line -> line.contender().equals(kind.label())))
                        .toList(),
                common.isEmpty() ? threads : common,
                standard.poolSize,
                standard.window);
    }

    /** Returns the number of profiles. */
    public int profiles() {
        return contenders.size() * threads.size();
    }
}
