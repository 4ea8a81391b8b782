// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Plan of lock profiles, and the length of each. Threading: immutable.
 *
 * @param contenders contenders to profile, in this order
 * @param threads numbers of blocking callers; each contender is profiled with each number
 * @param connections number of connections of the contenders that are an array
 * @param poolSize number of clients in the pool of Template
 * @param valueSize length of every value in bytes
 * @param warmUp duration of the load before each recording
 * @param window duration of the recorded load
 */
public record LockPlan(
        List<ContenderKind> contenders,
        List<Integer> threads,
        int connections,
        int poolSize,
        int valueSize,
        Duration warmUp,
        Duration window) {

    static final int KEYS = 1000;

    /** Template, Connection, the arrays of spymemcached, and Memshard in the same three shapes. */
    private static final List<ContenderKind> MODES = List.of(
            ContenderKind.TEMPLATE,
            ContenderKind.CONNECTION,
            ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN,
            ContenderKind.SPYMEMCACHED_ARRAY_THREAD_ID,
            ContenderKind.MEMSHARD_SINGLE,
            ContenderKind.MEMSHARD_ROUND_ROBIN,
            ContenderKind.MEMSHARD_STICKY);

    /**
     * Returns the default plan. Quick: the modes of the article and those of Memshard at two numbers of threads, for
     * 0.6 seconds each. Otherwise: every contender at four numbers of threads, for three seconds each.
     */
    public static LockPlan standard(boolean quick, int connections, int poolSize, int valueSize) {
        return new LockPlan(
                quick ? MODES : everyone(),
                quick ? List.of(8, 64) : List.of(1, 8, 64, 200),
                connections,
                poolSize,
                valueSize,
                Duration.ofMillis(quick ? 300 : 1000),
                Duration.ofMillis(quick ? 600 : 3000));
    }

    /**
     * Returns the plan of the profiles that explain a comparison, with the connections, pool and values of the
     * comparison. The contenders and numbers of threads are those of {@link #standard} that took part. If none of these
     * numbers took part, the numbers are those of the comparison. The plan has no profiles if the callers were not
     * blocking platform threads.
     */
    public static LockPlan explaining(ComparisonResult comparison, boolean quick) {
        List<ContenderSummary> lines = comparison.summaries().stream()
                .filter(line -> line.condition().callers() == Condition.Callers.BLOCKING)
                .toList();
        Set<String> names = lines.stream().map(ContenderSummary::contender).collect(Collectors.toSet());
        List<Integer> threads = lines.stream()
                .map(line -> line.condition().threads())
                .distinct()
                .toList();
        int connections = lines.stream()
                .filter(line -> ContenderKind.of(line.contender())
                        .filter(ContenderKind::isArray)
                        .isPresent())
                .mapToInt(ContenderSummary::connections)
                .findFirst()
                .orElse(2);
        int valueSize = lines.isEmpty() ? 100 : lines.get(0).condition().valueSize();
        LockPlan standard = standard(quick, connections, comparison.plan().poolSize(), valueSize);
        List<Integer> common =
                standard.threads().stream().filter(threads::contains).toList();
        return new LockPlan(
                standard.contenders().stream()
                        .filter(kind -> names.contains(kind.label()))
                        .toList(),
                common.isEmpty() ? threads : common,
                connections,
                standard.poolSize(),
                valueSize,
                standard.warmUp(),
                standard.window());
    }

    /** Returns the number of profiles. */
    public int profiles() {
        return contenders.size() * threads.size();
    }

    private static List<ContenderKind> everyone() {
        return List.of(ContenderKind.values());
    }
}
