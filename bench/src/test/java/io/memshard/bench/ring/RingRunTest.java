// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingRunTest {

    private static final RingPlan PLAN = new RingPlan(
            List.of("jump", "libmemcached-weighted", "pymemcache", "spymemcached"),
            List.of(3, 10),
            new RingResult.Plan(100, 5_000, 2, 2, 1, 7));

    private final StringWriter output = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void everyMeasureIsInTheFilesAndInTheReport() {
        RingResult result = run("one");

        assertThat(RingFiles.read(folder.resolve("one"))).isEqualTo(result);
        assertThat(result.rings()).isEqualTo(PLAN.rings());
        assertThat(EnumSet.allOf(RingMeasure.class))
                .allSatisfy(measure ->
                        assertThat(result.servers(measure)).as(measure.name()).contains(10));
        RingPart.draw(folder.resolve("one"), new PrintWriter(output));
        assertThat(folder.resolve("one"))
                .isDirectoryContaining("glob:**rings.md")
                .isDirectoryContaining("glob:**rings-balance.svg")
                .isDirectoryContaining("glob:**rings-lookup.svg");
        assertThat(output)
                .asString()
                .contains("### Balance", "### Movement, 10 servers", "| `pymemcache` |", "again: `bench/run ring`");
    }

    @Test
    void balanceAndMovementAreTheSameInEveryRun() {
        assertThat(withoutTimes(run("one"))).isEqualTo(withoutTimes(run("two"))).isNotEmpty();
    }

    private RingResult run(String name) {
        return new RingRun(PLAN).run(folder.resolve(name), "bench/run ring", new PrintWriter(output));
    }

    private static Set<Object> withoutTimes(RingResult result) {
        return result.figures().stream()
                .filter(figure -> figure.measure().compareTo(RingMeasure.LOOKUP_NS) < 0)
                .collect(Collectors.toSet());
    }
}
