// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.server.BenchServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("installed")
class CompareRunIT {

    @TempDir
    private Path folder;

    private final StringWriter output = new StringWriter();

    /** The server is one that the comparison starts itself, whose CPU time is known. */
    @Test
    @Tag("deep")
    void aComparisonLeavesItsDataAndItsTables() {
        ComparisonResult result = new CompareRun(options(List.of(("--contenders connection,memshard-round-robin"
                                + " --threads 1,4 --forks 2 --rounds 2 --slice 100ms --load mixed --connections 1,2"
                                + " --seed 7 --anyway")
                        .split(" ", -1))))
                .run(folder, "bench/run compare", new PrintWriter(output, true), false);

        // Two forks; baseline, again, Memshard with one and two connections.
        assertThat(result.slices()).hasSize(2 * 2 * 2 * 4);
        // On a busy machine a short slice may pass without an operation.
        assertThat(result.slices())
                .filteredOn(slice -> slice.operations() > 0)
                .isNotEmpty()
                .allSatisfy(slice -> {
                    assertThat(slice.fairness().jain()).isBetween(0.2, 1.0);
                    assertThat(slice.fairness().most()).isPositive();
                });
        assertThat(result.summaries()).hasSize(2 * 4).allSatisfy(summary -> {
            assertThat(summary.wrongValues()).isZero();
            assertThat(summary.forks()).isEqualTo(2);
        });
        assertThat(result.summaries())
                .extracting(ContenderSummary::contender)
                .startsWith("connection", "connection-again");
        assertThat(result.environment().command()).isEqualTo("bench/run compare");
        assertThat(ComparisonFiles.read(folder)).isEqualTo(result);
        assertThat(output)
                .asString()
                .contains(
                        "2 forks, 4 contenders, 2 conditions, 2 rounds of 100 ms",
                        "[32/32]",
                        "### 1 thread, 90/10 get/set of 100 B",
                        "| connection-again |",
                        "### 4 threads");
        assumeThat(result.environment().serverSource()).doesNotContain("given");
        assertThat(result.slices())
                .anySatisfy(
                        slice -> assertThat(slice.readings().serverCpuNanos()).isPositive());
    }

    @Test
    void moreConnectionsThanTheServerTakesAreRefusedBefore() {
        try (BenchServer server = BenchServer.find(null)) {
            assumeThat(server.mostConnections().orElse(Integer.MAX_VALUE)).isLessThan(9000);
            CompareRun run = new CompareRun(options(List.of(
                    "--contenders", "socket-per-thread", "--threads", "9000", "--server", server.hostAndPort())));
            assertThatExceptionOfType(BenchException.class)
                    .isThrownBy(() -> run.run(folder, "bench/run compare", new PrintWriter(output, true), false))
                    .withMessageContaining("connections and the server takes");
        }
    }

    private static CompareOptions options(List<String> arguments) {
        Command command = new Command();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments.toArray(String[]::new));
        return command.options;
    }

    @CommandLine.Command
    private static final class Command {

        @CommandLine.Mixin
        private CompareOptions options = new CompareOptions();
    }
}
