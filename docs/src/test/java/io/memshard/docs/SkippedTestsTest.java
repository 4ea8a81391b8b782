// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkippedTestsTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Report of a test that one of JUnit's conditions skipped. */
    private static final String BY_CONDITION =
            "<skipped message=\"this machine lacks memcached, install the package memcached\"/>";

    /** Report of a test that an exception skipped. */
    private static final String BY_EXCEPTION = """
            <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: \
            this machine lacks nutcracker, install the package nutcracker
            	at io.memshard.Some.where(Some.java:1)
            ]]></skipped>""";

    @TempDir
    private Path root;

    private Path report(String file, String... results) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        StringBuilder xml = new StringBuilder("<testsuite>");
        for (String result : results) {
            xml.append("<testcase name=\"t\" classname=\"c\">").append(result).append("</testcase>");
        }
        Files.writeString(path, xml.append("</testsuite>"));
        return Files.setLastModifiedTime(path, FileTime.from(START));
    }

    @Test
    void testsAreCountedByMissingProgramOverAllModules() throws IOException {
        report("client/target/surefire-reports/TEST-A.xml", "", "<failure>this machine lacks luck</failure>");
        report("client/target/failsafe-reports/TEST-B.xml", BY_CONDITION, BY_CONDITION, BY_EXCEPTION);
        report("sharding/inner/target/failsafe-reports/TEST-C.xml", BY_CONDITION, "<skipped message=\"no zoo\"/>");

        assertThat(SkippedTests.of(root, START))
                .containsExactly(
                        "",
                        "Tests skipped because this machine lacks something: 4",
                        "    3 in client, sharding/inner: it lacks memcached, install the package memcached",
                        "    1 in client: it lacks nutcracker, install the package nutcracker",
                        "Tests skipped for other reasons, which their reports name: 1",
                        "");
    }

    @Test
    void nothingIsPrintedIfNothingIsMissing() throws IOException {
        report("client/target/failsafe-reports/TEST-A.xml", "", "<skipped message=\"no zoo\"/>");
        report("client/target/failsafe-reports/other.xml", BY_CONDITION);
        report("client/src/target/failsafe-reports/TEST-B.xml", BY_CONDITION);

        assertThat(SkippedTests.of(root, START)).isEmpty();
    }

    @Test
    void reportsOfAnEarlierBuildDoNotCount() throws IOException {
        Path earlier = report("client/target/failsafe-reports/TEST-A.xml", BY_CONDITION);
        Files.setLastModifiedTime(earlier, FileTime.from(START.minusSeconds(1)));

        assertThat(SkippedTests.of(root, START)).isEmpty();
    }
}
