// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static io.memshard.testkit.SourceFiles.ROOT;
import static io.memshard.testkit.SourceFiles.javaFiles;
import static io.memshard.testkit.SourceFiles.lines;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rules that keep tests from failing by chance. Where one does not fit, a comment at the end of the line says why the
 * test is steady all the same.
 */
class TestRulesTest {

    private static final String TIME = "(?i:nano|milli|elapsed|taken|took|Duration\\.between)";

    /** Statistics of a server that a connection changes when it opens, asks or probes. */
    private static final String SERVER_COUNT = "\"(cmd_\\w+|get_misses|(curr|total)_connections)\"";

    /** All but the examples of pages, and this one. */
    private static final List<Path> TESTS = javaFiles(
            name -> name.contains("src/test/") && !name.matches(".*/(Hello|\\w+Examples?|TestRulesTest)\\.java"));

    static List<Arguments> rules() {
        return List.of(
                rule("waits for a time: wait for a condition, with Eventually", "\\.sleep\\("),
                rule(
                        "limits an elapsed time: compare the outcome, or a time far below that of the fault",
                        "assertThat\\(.*" + TIME + ".*\\.(isLessThan|isLessThanOrEqualTo|isBetween)\\("),
                rule(
                        "takes a port before it is bound: use ClosedPort, or bind port 0",
                        "\\bfreePort\\(|try \\(ServerSocket "),
                rule(
                        "sees threads of other tests: use LeakCheck.threadsSince",
                        "getAllStackTraces|getThreadCount|Thread\\.activeCount"),
                rule("draws without a seed", "new (Splittable|Secure)?Random\\(\\)|ThreadLocalRandom|Math\\.random"),
                rule(
                        "counts what connections cause by themselves: count hits of keys that the test stored",
                        SERVER_COUNT),
                rule("goes on until a time is over: go on until enough has happened", "(while|for) \\(.*nanoTime"),
                rule(
                        "writes to a file that others may share: use @TempDir",
                        "Files\\.(write|copy|move|create|delete).*Path\\.of"),
                rule(
                        "has a time-out that a busy machine may exceed: take 20 seconds or more",
                        "(request|connect|liveness)Timeout\\(Duration\\.of(Millis\\(|Seconds\\(1?[0-9]\\))"));
    }

    private static Arguments rule(String fault, String pattern) {
        return Arguments.of(fault, Pattern.compile(pattern));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void noTestDependsOnChance(String fault, Pattern pattern) throws IOException {
        assertThat(lines(
                        TESTS,
                        line -> pattern.matcher(line).find() && !line.contains(" // ") && !line.startsWith("import ")))
                .as(fault)
                .isEmpty();
    }

    /** The default time-outs are half a second, and a busy machine may stop a JVM for longer. */
    @Test
    void noClientOfATestHasTheDefaultTimeouts() throws IOException {
        List<Path> impatient = new ArrayList<>();
        for (Path file : TESTS) {
            String source = Files.readString(file, UTF_8);
            boolean makesClients = source.contains("Memshard.builder(") || source.contains("Memshard.connect(");
            if (file.toString().endsWith("IT.java") && makesClients && !source.contains("equestTimeout(")) {
                impatient.add(ROOT.relativize(file));
            }
        }
        assertThat(impatient).isEmpty();
    }

    @Test
    void noTestHasANameOfMoreThan60Characters() throws IOException {
        Pattern tooLong = Pattern.compile("\\bvoid \\w{61,}\\(");
        assertThat(lines(TESTS, line -> tooLong.matcher(line).find())).isEmpty();
    }

    /** A test that passes when it is run again has failed. */
    @Test
    void noTestHasASecondTry() throws IOException {
        Pattern again = Pattern.compile("(?i)rerun" + "Failing|Retrying" + "Test|retry" + "Count");
        List<String> found = new ArrayList<>();
        List<Path> files = new ArrayList<>(SourceFiles.all());
        files.add(ROOT.resolve(".ci/run"));
        for (Path file : files) {
            if (file.toString().matches(".*(\\.java|\\.xml|\\.md|\\.properties|/run)")
                    && again.matcher(Files.readString(file, UTF_8)).find()) {
                found.add(ROOT.relativize(file).toString());
            }
        }
        assertThat(found).isEmpty();
    }
}
