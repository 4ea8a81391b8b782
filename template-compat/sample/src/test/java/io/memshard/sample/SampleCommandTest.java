// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SampleCommandTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--count 0 | count is 0, but must be 1 to 8",
                "--count many | is not an int",
                "--port 70000 | port is 70000, but must be 0 to 65535",
                "--threads 1000 | threads is 1000, but must be 0 to 512",
                "--server a | Unknown option",
            })
    void aBadOptionIsRefusedWithTheRemedy(String options, String message) {
        StringWriter errors = new StringWriter();
        CommandLine command = SampleCommand.commandLine().setErr(new PrintWriter(errors));

        assertThat(command.execute(options.split(" "))).isNotZero();
        assertThat(errors.toString()).contains(message);
    }
}
