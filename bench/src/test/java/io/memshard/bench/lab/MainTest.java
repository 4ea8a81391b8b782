// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.ClosedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {

    private final StringWriter errors = new StringWriter();
    private final StringWriter output = new StringWriter();

    @Test
    void aWrongOptionIsOneSentenceAndStatusTwo() {
        assertThat(execute("--bogus")).isEqualTo(2);
        assertThat(errors).asString().hasLineCount(1).contains("Unknown option: '--bogus'", "--help");
        assertThat(output).asString().isEmpty();
    }

    @Test
    void anUnreachableServerIsOneSentenceAndStatusOne() {
        try (ClosedPort closed = new ClosedPort()) {
            String server = "127.0.0.1:" + closed.port();
            assertThat(execute("full", "--server", server)).isEqualTo(1);
            assertThat(errors).asString().hasLineCount(1).contains("no memcached answers at " + server);
        }
    }

    @Test
    void aPageWithAMarkerThatNamesNoFileIsOneSentenceAndStatusOne(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), "<!-- ratios nowhere -->\n<!-- end -->\n");

        assertThat(execute("tables", page.toString())).isEqualTo(1);
        assertThat(errors).asString().hasLineCount(1).contains("page.md, line 1: cannot read");
    }

    @Test
    void aReportOnPublishedDataLeavesTheirFolderAsItIs(@TempDir Path pages) {
        Path data = Path.of("..", "docs", "results", "lab-queues");

        assertThat(execute("lab", "report", data.toString(), "--out", pages.toString()))
                .isZero();
        assertThat(pages.resolve("index.md")).isNotEmptyFile();
        assertThat(data.resolve("waits.csv")).doesNotExist();
    }

    @Test
    void helpExplainsEveryOptionWithAndWithoutACommand() {
        for (String[] arguments : new String[][] {{"--help"}, {"full", "--help"}}) {
            output.getBuffer().setLength(0);
            assertThat(execute(arguments)).isZero();
            assertThat(output).asString().contains("--contenders", "--threads", "--quick", "socket-per-thread");
        }
        Main.commandLine()
                .getCommandSpec()
                .options()
                .forEach(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "lab --quick venis, unknown experiment \"venis\"; the known experiments are venus",
        "lab venus, --quick or --full"
    })
    void aFaultIsOneSentenceAndStatusOne(String arguments, String fault) {
        assertThat(execute(arguments.split(" "))).isEqualTo(1);
        assertThat(errors).asString().hasLineCount(1).contains(fault);
    }

    @Test
    void theCommandToRepeatIsQuotedAndNamesTheVariables() {
        assertThat(BenchCommand.command(
                        Map.of("BENCH_JAVA_OPTS", "-XX:+UseZGC -Xmx2g", "HOME", "/"),
                        List.of("full", "--threads", "1,8", "--out", "my results")))
                .isEqualTo("BENCH_JAVA_OPTS='-XX:+UseZGC -Xmx2g' bench/run full --threads 1,8 --out 'my results'");
    }

    private int execute(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setErr(new PrintWriter(errors, true));
        command.setOut(new PrintWriter(output, true));
        return command.execute(arguments);
    }
}
