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
@Tag("deep")
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
        // What a client takes depends on the machine, so there are only bounds that hold on each.
        assertThat(result.servers()).allSatisfy(count -> {
            assertThat(result.quartiles(count, ScaleMeasure.SOCKETS).median()).isBetween(2.0 * count, 4.0 * count);
            assertThat(result.quartiles(count, ScaleMeasure.THREADS).median()).isPositive();
            assertThat(result.quartiles(count, ScaleMeasure.GET_US).median()).isPositive();
        });
        ScalePart.draw(folder, new PrintWriter(output));
        assertThat(output).asString().contains("| servers | sockets |", "| 1 | ", "| 3 | ", "again: `bench/run scale`");
        assertThat(folder).isDirectoryContaining("glob:**scale.md");
    }
}
