// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsProgram(Program.MEMCACHED)
@Tag("once")
class ScaleRunIT {

    private static final ScalePlan PLAN = new ScalePlan(List.of(1, 3), new ScaleResult.Plan(2, 100, 1, 1, 1));

    private final StringWriter output = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void everyMeasureIsCountedAndInTheFilesAndTheReport() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc")), "no /proc here");

        ScaleResult result = new ScaleRun(PLAN).run(folder, "bench/run scale", new PrintWriter(output));

        assertThat(ScaleFiles.read(folder)).isEqualTo(result);
        assertThat(result.servers()).containsExactly(1, 3);
        // Two connections of two sockets to each.
        assertThat(result.quartiles(1, ScaleMeasure.SOCKETS).median()).isEqualTo(4);
        assertThat(result.quartiles(3, ScaleMeasure.SOCKETS).median()).isEqualTo(12);
        // On a busy machine a stand-by may be started here and there. None is started for each of 12 sockets.
        assertThat(result.quartiles(3, ScaleMeasure.THREADS).median())
                .isPositive()
                .isLessThan(result.quartiles(1, ScaleMeasure.THREADS).median() + 4);
        assertThat(result.servers()).allSatisfy(count -> {
            // Each of its sockets has a buffer for replies; half of them have two that are not on the heap.
            double buffers = 4 * 64 * 1024.0 * count;
            // A difference of two heaps: garbage that the first still had makes it too small, even negative.
            assertThat(result.quartiles(count, ScaleMeasure.HEAP_BYTES).median())
                    .isLessThan(10 * buffers + 1e6);
            assertThat(result.quartiles(count, ScaleMeasure.DIRECT_BYTES).median())
                    .isGreaterThanOrEqualTo(buffers);
            assertThat(result.quartiles(count, ScaleMeasure.GET_US).median()).isPositive();
            assertThat(result.quartiles(count, ScaleMeasure.GET_BYTES).median()).isBetween(100.0, 1e5);
        });
        ScalePart.draw(folder, new PrintWriter(output));
        assertThat(output)
                .asString()
                .contains("| servers | sockets |", "| 1 | 4 |", "| 3 | 12 |", "again: `bench/run scale`");
        assertThat(folder).isDirectoryContaining("glob:**scale.md");
    }
}
