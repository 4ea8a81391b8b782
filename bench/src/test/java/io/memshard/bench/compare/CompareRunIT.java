// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.server.BenchServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareRunIT {

    private static BenchServer server;

    @TempDir
    private Path folder;

    private final StringWriter output = new StringWriter();

    @BeforeAll
    static void findServer() {
        server = BenchServer.find(null);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void aComparisonLeavesItsDataAndItsTables() {
        ComparisonResult result = run(
                "--contenders",
                "connection,memshard-round-robin,socket-per-thread",
                "--threads",
                "1,4",
                "--rounds",
                "2",
                "--slice",
                "50ms",
                "--load",
                "mixed",
                "--connections",
                "1,2",
                "--seed",
                "7");

        // Baseline, again, Memshard with one and two connections, sockets.
        assertThat(result.slices()).hasSize(2 * 2 * 5);
        assertThat(result.summaries()).hasSize(2 * 5);
        assertThat(result.summaries()).allSatisfy(summary -> {
            assertThat(summary.operationsPerSecond()).isPositive();
            assertThat(summary.wrongValues() + summary.errors() + summary.timeouts())
                    .isZero();
            assertThat(summary.ratio()).isNotNull();
        });
        assertThat(result.summaries().get(0).ratio().median()).isEqualTo(1);
        assertThat(result.summaries())
                .extracting(ContenderSummary::contender)
                .startsWith("connection", "connection-again");
        assertThat(result.environment().command()).isEqualTo("bench/run compare");
        assertThat(ComparisonFiles.read(folder)).isEqualTo(result);
        assertThat(output)
                .asString()
                .contains("[20/20]", "### 1 thread, 90/10 get/set of 100 B", "| connection-again |", "### 4 threads");
    }

    @Test
    void asynchronousCallersSeeTheirOwnValues() {
        ComparisonResult result = run(
                "--contenders",
                "connection,memshard-thread-id,folsom",
                "--callers",
                "async",
                "--in-flight",
                "20",
                "--rounds",
                "1",
                "--slice",
                "100ms");

        assertThat(result.summaries()).hasSize(4).allSatisfy(summary -> {
            assertThat(summary.operationsPerSecond()).isPositive();
            assertThat(summary.wrongValues() + summary.errors() + summary.timeouts())
                    .isZero();
        });
        assertThat(result.environment().command()).contains(" --seed ");
    }

    @Test
    void twoBuildsOfMemshardRaceInOneRun() {
        ComparisonResult result = run(
                "--baseline-jars",
                System.getProperty("java.class.path"),
                "--threads",
                "2",
                "--rounds",
                "1",
                "--slice",
                "100ms");

        assertThat(result.summaries())
                .allSatisfy(summary -> assertThat(summary.operationsPerSecond()).isPositive())
                .extracting(ContenderSummary::contender)
                .containsExactly("memshard-baseline", "memshard-baseline-again", "memshard-candidate");
    }

    @Test
    void moreConnectionsThanTheServerTakesAreRefusedBefore() {
        assumeThat(server.mostConnections().orElse(Integer.MAX_VALUE)).isLessThan(9000);

        assertThatExceptionOfType(ComparisonException.class)
                .isThrownBy(() -> run("--contenders", "socket-per-thread", "--threads", "9000"))
                .withMessageContaining("connections and the server takes");
    }

    private ComparisonResult run(String... arguments) {
        Command command = new Command();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return new CompareRun(command.options)
                .run(server, folder, "bench/run compare", new PrintWriter(output, true), false);
    }

    @CommandLine.Command
    private static final class Command {

        @CommandLine.Mixin
        private CompareOptions options = new CompareOptions();
    }
}
