// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.Main;
import io.memshard.bench.command.ResultsPage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LabPartTest {

    private static final Path DOCS =
            Path.of("..", "..", "docs").toAbsolutePath().normalize();

    private final StringWriter errors = new StringWriter();

    @Test
    void tablesAndChartsOfThePagesAreThoseOfTheData() {
        assertThat(new LabPart().pages())
                .contains("lab", "spring-cache")
                .allSatisfy(page -> assertThat(
                                ResultsPage.of(DOCS.resolve(page + ".md")).stale())
                        .as("files that bench/run tables would change")
                        .isEmpty());
    }

    @Test
    void anUnknownExperimentIsOneSentenceThatNamesTheKnownOnes() {
        assertThat(execute("lab", "--quick", "venis")).isEqualTo(1);
        assertThat(errors).asString().hasLineCount(1).contains("there is no experiment \"venis\"", "venus");
    }

    @Test
    void theLabRunsNothingUnlessItIsToldHowMuch() {
        assertThat(execute("lab", "venus")).isEqualTo(1);
        assertThat(errors).asString().hasLineCount(1).contains("--quick or --full");
    }

    private int execute(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }
}
