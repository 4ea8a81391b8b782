// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.page.ComparedForks;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.result.BenchException;
import io.memshard.testkit.Program;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class ClientOptionsTest {

    /** A quick run has eight clients. An array runs with each number of connections, and the baseline twice. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --quick                                                              | cloud: 3 blocks, 58 forks of
            --contenders=connection,folsom --connections=1,2,4 --threads=8       | cloud: 5 blocks, 26 forks of
            --contenders=connection --other-build=a/b.jar --threads=1 --blocks=1 | cloud: 1 blocks, 4 forks of
            --contenders=connection --threads=1 --profile=physical               | physical: 5 blocks, 11 forks of
            """)
    void theOptionsSetTheForks(String options, String plan) {
        assertThat(options(options.split(" ")).toPlan().text()).startsWith("clients, profile " + plan);
    }

    @Test
    void latencyHasEachClientAtEachLoad() {
        assertThat(latency("--contenders=connection,folsom", "--quick", "--rates=1,2", "--round-trip=0,500")
                        .text())
                .startsWith("clients, profile cloud: 1 blocks, 12 forks of 17.5 s");
    }

    @Test
    void eachClientGetsSharesOfItsOwnThroughput(@TempDir Path earlier) {
        new ComparedForks(earlier, "")
                .fork(1, 1, "connection", 8, 99_000, 5)
                .fork(1, 1, "connection", 64, 1000, 5)
                .fork(2, 1, "connection-again", 64, 2000, 5)
                .fork(1, 1, "folsom", 8, 70, 5);
        String capacities = "--capacities=" + earlier;

        assertThat(cells(latency("--contenders=connection", capacities)))
                .containsExactly(
                        "connection threads=64,rate=750,share=50,value=100",
                        "connection threads=64,rate=1200,share=80,value=100");
        assertThat(cells(latency("--contenders=folsom", capacities, "--threads=8", "--shares=10", "--round-trip=500")))
                .containsExactly("folsom threads=8,rate=7,rtt=500us,share=10,value=100");
        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> latency("--contenders=connection,folsom", capacities))
                .withMessageContaining(earlier + " has no throughput of folsom for threads=64,value=100: measure");
    }

    private static List<String> cells(LabPlan plan) {
        return plan.experiments().get(0).plan(plan.size(), Profile.CLOUD).cells().stream()
                .map(cell -> cell.arm() + " " + cell.condition().label())
                .toList();
    }

    @Test
    void anOutageHasEachClientTwiceAndStopsOnlyItsOwnServers() {
        assumeThat(Program.MEMCACHED.find()).isPresent();
        assertThat(outage("--contenders=memshard,folsom").text())
                .startsWith("clients, profile cloud: 5 blocks, 30 forks of 41.5 s");
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> outage("--server=a:1"))
                .withMessageContaining("omit --server");
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> outage("--window=10"))
                .withMessageContaining("--window must be a multiple of 3");
    }

    @Test
    void locksAreProfiledWithoutTheBaselineOfRatios() {
        assertThat(options("--contenders=template,memshard-single", "--threads=8,64")
                        .toProfiles()
                        .text())
                .startsWith("clients, profile cloud: 5 blocks, 4 forks of ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--contenders=nobody | Invalid value for option '--contenders' (NAME): expected one of [",
                "--threads=0 | --threads must be from 1 to",
                "--connections=0 | --connections must be from 1 to",
                "--value-size=10 | --value-size must be from 32 to",
                "--blocks=0 | --blocks must be from 1 to"
            })
    void aWrongOptionIsNamed(String option, String fault) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> options(option).toPlan())
                .withMessageContaining(fault);
    }

    private static ClientOptions options(String... arguments) {
        return parsed(new FullCommand(), arguments).options;
    }

    private static LabPlan latency(String... arguments) {
        return parsed(new OpenLoopCommand.Latency(), arguments).plan();
    }

    private static LabPlan outage(String... arguments) {
        return parsed(new OpenLoopCommand.Outage(), arguments).plan();
    }

    private static <C> C parsed(C command, String... arguments) {
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return command;
    }
}
