// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingRunTest {

    private static final RingPlan PLAN = new RingPlan(
            List.of("libmemcached-weighted", "pymemcache"), List.of(10), new RingResult.Plan(100, 5_000, 2, 2, 1, 7));

    private final StringWriter output = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void everyMeasureIsInTheFilesAndInTheReport() {
        RingResult result = new RingRun(PLAN).run(folder, "bench/run ring", new PrintWriter(output));

        assertThat(RingFiles.read(folder)).isEqualTo(result);
        assertThat(result.rings()).isEqualTo(PLAN.rings());
        assertThat(EnumSet.allOf(RingMeasure.class))
                .allSatisfy(measure ->
                        assertThat(result.servers(measure)).as(measure.name()).contains(10));
        RingPart.draw(folder, new PrintWriter(output));
        assertThat(folder)
                .isDirectoryContaining("glob:**rings.md")
                .isDirectoryContaining("glob:**rings-balance.svg")
                .isDirectoryContaining("glob:**rings-lookup.svg");
        assertThat(output)
                .asString()
                .contains("### Balance", "### Movement, 10 servers", "| `pymemcache` |", "again: `bench/run ring`");
    }
}
