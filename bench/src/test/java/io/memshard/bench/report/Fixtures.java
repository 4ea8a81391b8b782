// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.result.SliceResult.Fairness;
import io.memshard.bench.result.SliceResult.Latency;
import io.memshard.bench.result.SliceResult.Readings;
import io.memshard.bench.result.SliceResult.Scheduling;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Results that were never measured, with every oddity that a report must bear. */
final class Fixtures {

    static final String HOSTILE = "<script>alert(\"x\")</script> & 'more' \u0000";

    private static final String BASELINE = "connection";

    private Fixtures() {}

    /**
     * Returns slices of three forks, of which the first is slower and the last faster by 4 %; the baseline is always
     * the same.
     */
    static List<SliceResult> line(String contender, int threads, double ratio, double cpu, double p99, long errors) {
        List<SliceResult> slices = new ArrayList<>();
        for (int fork = 1; fork <= 3; fork++) {
            slices.addAll(fork(fork, contender, threads, ratio, cpu, p99, fork == 1 ? errors : 0));
        }
        return slices;
    }

    /** Five rounds of one fork. */
    static List<SliceResult> fork(
            int fork, String contender, int threads, double ratio, double cpu, double p99, long errors) {
        List<SliceResult> slices = new ArrayList<>();
        for (int round = 1; round <= 5; round++) {
            double spread = contender.equals(BASELINE) ? 1 : (0.92 + fork * 0.04) * (0.97 + round * 0.01);
            long operations = Math.round(ratio * spread * 40_000);
            long failed = round == 1 ? errors : 0;
            slices.add(new SliceResult(
                    new Condition(threads, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1),
                    fork,
                    round,
                    1,
                    contender,
                    2,
                    1_000_000_000,
                    operations,
                    failed,
                    failed / 2,
                    failed / 4,
                    Math.round(cpu * 1000 * operations),
                    new Latency(p99 / 4, p99, p99 * 3, p99 * 9),
                    new Fairness(contender.equals("unfair") ? 0.5 : 0.9, operations / 10.0, operations / 5.0),
                    new Readings(5_000.0 * operations, 1000, 200, 900, 0, Scheduling.UNKNOWN)));
        }
        return slices;
    }

    /** Returns the lines, after a slow baseline for all numbers of threads without one. */
    static ComparisonResult comparison(List<List<SliceResult>> lines) {
        List<SliceResult> slices = new ArrayList<>();
        List<SliceResult> given = lines.stream().flatMap(List::stream).toList();
        given.stream().map(slice -> slice.condition().threads()).distinct().forEach(threads -> {
            if (given.stream()
                    .noneMatch(slice -> slice.condition().threads() == threads
                            && slice.contender().equals(BASELINE))) {
                slices.addAll(line(BASELINE, threads, 1, 100, 10_000, 0));
            }
        });
        slices.addAll(given);
        return new ComparisonResult(
                environment(),
                new ComparisonResult.Plan(
                        "cloud",
                        20,
                        (int) Math.max(
                                1,
                                given.stream().map(SliceResult::fork).distinct().count()),
                        5,
                        1000,
                        1000,
                        42,
                        Stream.concat(Stream.of(BASELINE), slices.stream().map(SliceResult::contender))
                                .distinct()
                                .toList(),
                        ""),
                slices);
    }

    /** Memshard ahead at 64 threads, behind a plain socket at one. */
    static ComparisonResult comparison() {
        List<List<SliceResult>> lines = new ArrayList<>();
        for (int threads : new int[] {1, 64}) {
            lines.add(line(BASELINE, threads, 1, 20, 400, 0));
            lines.add(line("connection-again", threads, 1.02, 20, 400, 0));
            lines.add(line("template", threads, 0.5, 60, 900, 8));
            lines.add(line("memshard-sticky", threads, threads == 1 ? 2.9 : 4.1, 9, 300, 0));
            lines.add(line("socket-per-thread", threads, threads == 1 ? 3.4 : 1.3, 18, 350, 0));
        }
        return comparison(lines);
    }

    private static Environment environment() {
        return new Environment(
                Instant.parse("2026-01-02T03:04:05Z"),
                2,
                HOSTILE,
                "Linux 6.1",
                "a JDK",
                List.of("-Xmx1g", "-Dx=<y>"),
                "localhost:11211",
                "--server",
                "1.6.18",
                null,
                0.4,
                0.012,
                null,
                false,
                "bench/run compare --quick --seed 42");
    }
}
