// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.result.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PagesTest {

    private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    @Tag("deep")
    void tablesAndChartsOfThePagesMatchTheData() {
        assertThat(ResultsPage.ALL)
                .allSatisfy(page -> assertThat(
                                ResultsPage.of(DOCS.resolve(page.getFileName())).stale())
                        .as("files that bench/run tables would change")
                        .isEmpty());
    }

    @Test
    void readmeListsTheMarkers() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        assertThat(Marker.KINDS).allSatisfy(name -> assertThat(readme).contains("| `<!-- " + name + " "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lab-ranks results/lab-druid-table of nothing | there is no claim \"nothing\"",
                "lab-ranks results/lab-venus of array-helps | claim \"array-helps\" has no test",
                "lab-waits results/lab-druid-fairness druid-fairness at threads=3 of x=X | arm \"x\" has no result"
            })
    void aMarkerWithoutDataIsNamed(String marker, String fault) throws IOException {
        Path page = Files.writeString(
                folder.resolve("page.md"),
                "<!-- " + marker.replace("results/", DOCS + "/results/") + " -->\n<!-- end -->\n");

        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> ResultsPage.of(page))
                .withMessageContaining(fault);
    }
}
