// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
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
        assertThat(options("--contenders=connection,folsom", "--quick")
                        .toLatency(List.of(1, 2, 3), 10, 0)
                        .text())
                .startsWith("clients, profile cloud: 1 blocks, 6 forks of 16.5 s");
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
        Command command = new Command();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return command.options;
    }

    @CommandLine.Command
    private static final class Command {

        @CommandLine.Mixin
        private ClientOptions options = new ClientOptions();
    }
}
