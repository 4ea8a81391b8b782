// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a comparison whose conditions differ only in the number of threads. One set of charts shows them. Threading:
 * immutable.
 */
record Workload(Condition first, List<ContenderSummary> lines) {

    /** Text between a contender and its number of connections. */
    static final String TIMES = " \u00d7 ";

    /** Returns the workloads of a comparison in the order of its lines. */
    static List<Workload> of(List<ContenderSummary> summaries) {
        Map<Condition, List<ContenderSummary>> byLoad = summaries.stream()
                .collect(Collectors.groupingBy(
                        line -> withThreads(line.condition(), 0), LinkedHashMap::new, Collectors.toList()));
        return byLoad.values().stream()
                .map(lines -> new Workload(lines.get(0).condition(), List.copyOf(lines)))
                .toList();
    }

    private static Condition withThreads(Condition condition, int threads) {
        return new Condition(
                threads, condition.valueSize(), condition.load(), condition.callers(), condition.inFlight());
    }

    /** Returns the numbers of threads, ascending. */
    List<Integer> threads() {
        return lines.stream()
                .map(line -> line.condition().threads())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the lines with {@code threads} threads, without the second run of the baseline. */
    List<ContenderSummary> at(int threads) {
        return lines.stream()
                .filter(line -> line.condition().threads() == threads && !line.isAgain())
                .toList();
    }

    /** Returns the names of the contenders in the order of the lines, without the second run of the baseline. */
    List<String> labels() {
        return lines.stream()
                .filter(line -> !line.isAgain())
                .map(this::label)
                .distinct()
                .toList();
    }

    /** Returns the line with {@code label} and {@code threads} threads; null if there is none. */
    @Nullable
    ContenderSummary line(String label, int threads) {
        return at(threads).stream()
                .filter(line -> label(line).equals(label))
                .findFirst()
                .orElse(null);
    }

    /** Returns the name of a line: the contender, and the number of connections if the contender ran with several. */
    String label(ContenderSummary line) {
        return line.label(lines, TIMES);
    }

    /** Returns words such as {@code get of 100 B, blocking threads}. */
    String title() {
        String callers = switch (first.callers()) {
            case BLOCKING -> "blocking threads";
            case ASYNC -> "asynchronous threads with " + first.inFlight() + " in flight each";
            case VIRTUAL -> "virtual threads";
        };
        return first.loadTitle() + ", " + callers;
    }
}
