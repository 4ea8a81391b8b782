// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.table.ComparisonTables;
import io.memshard.testkit.MemcachedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("once")
@Tag("installed")
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
                "--forks",
                "2",
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

        // Two forks; baseline, again, Memshard with one and two connections, sockets.
        assertThat(result.slices()).hasSize(2 * 2 * 2 * 5);
        // On a busy machine a short slice may pass without an operation.
        assertThat(result.slices())
                .filteredOn(slice -> slice.operations() > 0)
                .isNotEmpty()
                .allSatisfy(slice -> {
                    assertThat(slice.fairness().jain()).isBetween(0.2, 1.0);
                    assertThat(slice.fairness().most()).isPositive();
                    assertThat(slice.readings().hiccupMaxMicros()).isPositive();
                });
        assertThat(result.summaries()).hasSize(2 * 5);
        assertThat(result.summaries()).allSatisfy(summary -> {
            assertThat(summary.operationsPerSecond()).isPositive();
            assertThat(summary.wrongValues() + summary.errors() + summary.timeouts())
                    .isZero();
            assertThat(summary.forks()).isEqualTo(2);
            assertThat(summary.ratio().isKnown()).isTrue();
            assertThat(summary.throughput().low()).isLessThanOrEqualTo(summary.operationsPerSecond());
            assertThat(summary.verdict()).isNotEmpty();
        });
        assertThat(result.summaries().get(0).ratio().mid()).isCloseTo(1, within(1e-9));
        assertThat(result.summaries())
                .extracting(ContenderSummary::contender)
                .startsWith("connection", "connection-again");
        assertThat(result.environment().command()).isEqualTo("bench/run compare");
        assertThat(ComparisonFiles.read(folder)).isEqualTo(result);
        assertThat(output)
                .asString()
                .contains(
                        "2 forks, 5 contenders, 2 conditions, 2 rounds of 50 ms",
                        "[40/40]",
                        "### 1 thread, 90/10 get/set of 100 B",
                        "| connection-again |",
                        "### 4 threads");
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
                "--forks",
                "1",
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
                "--forks",
                "1",
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

        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> run("--contenders", "socket-per-thread", "--threads", "9000"))
                .withMessageContaining("connections and the server takes");
    }

    /** A server that this comparison starts itself is one whose CPU time is known. */
    @Test
    void theServerOfAForkIsMeasuredToo() {
        List<String> arguments = List.of(
                "--contenders connection --threads 2 --forks 1 --rounds 1 --slice 300ms --anyway".split(" ", -1));

        ComparisonResult result = run(arguments);

        assumeThat(result.environment().serverSource()).doesNotContain("given");
        assertThat(result.slices()).anySatisfy(slice -> {
            assertThat(slice.readings().serverCpuNanos()).isPositive();
            assertThat(slice.operationsPerCoreSecond()).isPositive();
        });
        assertThat(ComparisonTables.cores(result, List.of())).contains("| connection |", " + ");
        assertThat(ComparisonTables.fairness(result, List.of())).contains("| connection |", " ms |");
    }

    @Test
    void forksAndServersRunOnTheProcessorsThatAreNamed() throws IOException {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        assumeThat(Path.of("/usr/bin/taskset")).exists();
        assumeThat(MemcachedProcess.findOnPath()).isPresent();
        CompareOptions options = options(List.of("--cpus", "0/1"));
        try (BenchServer pinned = options.findServer()) {
            assumeThat(pinned.pids())
                    .doesNotContain(ProcessHandle.current().pid())
                    .isNotEmpty();
            options.pin(pinned);
            assertThat(pinned.pids())
                    .allSatisfy(pid -> assertThat(Path.of("/proc", String.valueOf(pid), "status"))
                            .content()
                            .containsPattern("Cpus_allowed_list:\\s+1\\n"));
        }
        List<String> fork = new ArrayList<>(options.pinning());
        fork.addAll(List.of("cat", "/proc/self/status"));
        try (BufferedReader status = new ProcessBuilder(fork).start().inputReader()) {
            assertThat(status.lines()).anyMatch(line -> line.matches("Cpus_allowed_list:\\s+0"));
        }
    }

    private ComparisonResult run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--anyway", "--server", server.hostAndPort()));
        return run(all);
    }

    private static CompareOptions options(List<String> arguments) {
        Command command = new Command();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments.toArray(String[]::new));
        return command.options;
    }

    private ComparisonResult run(List<String> arguments) {
        return new CompareRun(options(arguments))
                .run(folder, "bench/run compare", new PrintWriter(output, true), false);
    }

    @CommandLine.Command
    private static final class Command {

        @CommandLine.Mixin
        private CompareOptions options = new CompareOptions();
    }
}
