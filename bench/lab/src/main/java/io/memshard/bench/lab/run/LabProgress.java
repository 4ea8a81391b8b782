// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Metric;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Tells a person how far a run is and how long it goes on.
 *
 * <p>Threading: confined to the thread that runs the lab.
 */
final class LabProgress {

    private final PrintWriter out;
    private long startNanos;
    private int all;
    private int before;
    private int done;
    private int failed;

    LabProgress(PrintWriter out) {
        this.out = out;
    }

    void say(String line) {
        out.println(line);
        out.flush();
    }

    void start(List<Schedule> schedules, Isolation isolation, int already) {
        startNanos = System.nanoTime();
        all = schedules.stream().mapToInt(schedule -> schedule.forks().size()).sum();
        before = already;
        done = already;
        for (Schedule schedule : schedules) {
            out.println(schedule.line() + "; "
                    + Placement.of(schedule.profile(), !schedule.servers().isEmpty(), isolation)
                            .label());
        }
        if (already > 0) {
            out.printf(Locale.ROOT, "%d of %d forks are there already%n", already, all);
        }
        out.flush();
    }

    void fork(Schedule schedule, ForkResult result) {
        done = Math.min(all, done + 1);
        failed += result.isThere() ? 0 : 1;
        String found = result.isThere()
                ? String.format(
                        Locale.ROOT,
                        "%,.0f %s/s",
                        Metric.of(Metric.THROUGHPUT, result),
                        schedule.experiment().unit())
                : "DID NOT RUN: " + result.failure();
        out.printf(
                Locale.ROOT,
                "[%d/%d] block %d/%d %s: %s; %s left%n",
                done,
                all,
                result.key().block(),
                schedule.plan().blocks(),
                result.key().label(),
                found,
                LabRun.text(left()));
        out.flush();
    }

    private Duration left() {
        int here = Math.max(1, done - before);
        return Duration.ofNanos((System.nanoTime() - startNanos) / here * (all - done));
    }

    void end() {
        out.printf(
                Locale.ROOT,
                "%d forks in %s, %d of them did not run%n",
                done - before,
                LabRun.text(Duration.ofNanos(System.nanoTime() - startNanos)),
                failed);
        out.flush();
    }
}
