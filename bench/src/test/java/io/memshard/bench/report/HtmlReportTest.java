// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.chart.Picture;
import io.memshard.bench.report.HtmlReport.Section;
import io.memshard.bench.table.ComparisonTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {

    @TempDir
    private Path folder;

    @Test
    void aReportIsOneFileThatNeedsNoOtherAndNoScript() throws IOException {
        Picture picture = ComparisonCharts.throughput(Fixtures.comparison(), Map.of());
        String page = page(new Section("Throughput", List.of(picture), ""));

        try (var files = Files.list(folder)) {
            assertThat(files).singleElement().hasToString(folder.resolve("report.html") + "");
        }
        assertThat(page)
                .contains("<svg ", "<figcaption>Operations a second with 64 threads: memshard-sticky 164 k")
                .doesNotContain("<script", "<link", "<img", "<iframe", "src=", "href=", "url(", "@import");
    }

    @Test
    void tablesOfTheTerminalAreTablesOfThePage() throws IOException {
        String page = page(new Section("All", List.of(), ComparisonTables.details(Fixtures.comparison())));

        assertThat(page)
                .contains("<h3>64 threads, get of 100 B</h3>")
                .contains("<th>contender</th><th class=\"number\">sockets</th>")
                .contains("<td>memshard-sticky</td><td class=\"number\">2</td>")
                .doesNotContain("|");
    }

    @Test
    void aListIsAList() throws IOException {
        assertThat(page(new Section("Environment", List.of(), "- 2 CPUs\n- again: `bench/run`\n")))
                .contains("<ul>\n<li>2 CPUs</li>\n<li>again: <code>bench/run</code></li>\n</ul>");
        assertThat(page(new Section("Remarks", List.of(), "\n**BUSY** at the start.\n")))
                .contains("<p><b>BUSY</b> at the start.</p>");
    }

    @Test
    void textOfOthersStaysText() throws IOException {
        assertThat(page(new Section(Fixtures.HOSTILE, List.of(), ComparisonTables.environment(Fixtures.comparison()))))
                .contains("&lt;script&gt;alert(\"x\")&lt;/script&gt; &amp; 'more'")
                .doesNotContain("<script");
    }

    @Test
    void aChartLooksTheSameInAViewerWithoutStyleSheets() {
        assertThat(ComparisonCharts.throughput(Fixtures.comparison(), Map.of()).svg())
                .containsPattern("<style>@media \\(prefers-color-scheme: dark\\) \\{( \\[[^]{}]+] \\{[^{}]+})+ }")
                .containsPattern("<text [^>]*fill=\"#[0-9a-f]{6}\"")
                .containsPattern("<line [^>]*stroke=\"#[0-9a-f]{6}\"");
    }

    private String page(Section section) throws IOException {
        return Files.readString(HtmlReport.write(folder, "Benchmark", List.of(section)));
    }
}
