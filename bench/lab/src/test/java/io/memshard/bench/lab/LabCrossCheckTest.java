// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.command.BenchException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ThroughputResult;
import org.openjdk.jmh.util.Statistics;

/** Throughput is cycles over time, and no sum of the rates of threads. */
class LabCrossCheckTest {

    @Test
    void countsCyclesAndNotRates() {
        RunResult result = new RunResult(null, List.of(fork(1_000, 3_000), fork(2_000, 2_000)));

        Statistics found = LabCrossCheck.cyclesPerSecond(result);

        assertThat(found.getN()).isEqualTo(4);
        assertThat(found.getMean()).isEqualTo(2_000);
        assertThat(found.getMeanErrorAt(0.999)).isPositive();
    }

    @Test
    void aClaimNamesItsCells() {
        LabCommand.Jmh.Cells cells = LabCommand.Jmh.Cells.of("shared-pool-collapses");

        assertThat(cells.experiment()).isEqualTo("sync-pool");
        assertThat(cells.condition()).isEqualTo("threads=100");
        assertThat(cells.arms()).containsExactly("locked-deque", "striped");
        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> LabCommand.Jmh.Cells.of("template-collapses"))
                .withMessageStartingWith("claim template-collapses does not compare two arms under one condition: ");
        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> LabCommand.Jmh.Cells.of("other"))
                .withMessage("there is no claim other");
    }

    private static BenchmarkResult fork(long... measured) {
        return new BenchmarkResult(
                null,
                LongStream.of(measured).mapToObj(LabCrossCheckTest::iteration).toList());
    }

    /** One thread did everything, and another one cycle in a microsecond, when the iteration was over. */
    private static IterationResult iteration(long cycles) {
        IterationResult iteration = new IterationResult(null, null, new IterationResultMetaData(cycles + 500, cycles));
        iteration.addResult(rate(cycles - 1, TimeUnit.SECONDS.toNanos(1)));
        iteration.addResult(rate(1, 1_000));
        return iteration;
    }

    private static ThroughputResult rate(long cycles, long nanos) {
        return new ThroughputResult(ResultRole.PRIMARY, "cycle", cycles, nanos, TimeUnit.SECONDS);
    }
}
