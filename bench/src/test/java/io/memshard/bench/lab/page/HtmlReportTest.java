// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.page.HtmlReport.Section;
import io.memshard.bench.result.Picture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {

    @TempDir
    private Path folder;

    @TempDir
    private Path data;

    private Comparison comparison;

    @BeforeEach
    void measure() {
        ComparedForks forks = new ComparedForks(data, "");
        for (int fork = 1; fork <= 3; fork++) {
            forks.fork(fork, 1, "connection", 64, 40_000, 20)
                    .fork(fork, 1, "memshard-sticky", 64, 160_000 + fork * 2_000L, 9);
        }
        comparison = Comparison.read(data);
    }

    @Test
    void aReportIsOneFileThatNeedsNoOtherAndNoScript() throws IOException {
        Picture picture = ComparisonCharts.panels(List.of(comparison), Map.of());
        String page = page(new Section("Throughput", List.of(picture), ""));

        try (var files = Files.list(folder)) {
            assertThat(files).singleElement().hasToString(folder.resolve("report.html") + "");
        }
        // A viewer may have no style sheets, except for dark pages.
        assertThat(picture.svg())
                .containsPattern("<style>@media \\(prefers-color-scheme: dark\\) \\{( \\[[^]{}]+] \\{[^{}]+})+ }")
                .containsPattern("<text [^>]*fill=\"#[0-9a-f]{6}\"")
                .containsPattern("<line [^>]*stroke=\"#[0-9a-f]{6}\"");
        assertThat(page)
                .contains(
                        "<svg ",
                        "<figcaption>Operations a second: 2 processors, a pool of 20, 3 JVMs, 64 threads: memshard")
                .doesNotContain("<script", "<link", "<img", "<iframe", "src=", "href=", "url(", "@import");
    }

    @Test
    void tablesOfTheTerminalAreTablesOfThePage() throws IOException {
        LabData run = LabData.read(data);
        String page = page(new Section("All", List.of(), LabReport.figures(run, Clients.NAME, run.profile())));

        assertThat(page)
                .contains("<h3>Every arm under threads=64,value=100</h3>")
                .contains("<th>arm</th>\n<th>ratio</th>\n<th align=\"right\">cycles a second</th>")
                .contains("<td>memshard-sticky</td>\n<td>4.10 (4.05 to 4.15, 3 blocks)</td>\n"
                        + "<td align=\"right\">164,000</td>")
                .doesNotContain("|");
    }

    @Test
    void textOfOthersStaysText() throws IOException {
        assertThat(page(new Section(
                        "<script> & 'more'", List.of(), LabData.read(data).lines())))
                .contains("&lt;script&gt; &amp; 'more'", "or &lt;b&gt;two&lt;/b&gt;")
                .doesNotContain("<script");
    }

    private String page(Section section) throws IOException {
        return Files.readString(HtmlReport.write(folder, "Benchmark", List.of(section)));
    }
}
