// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import static io.memshard.bench.report.Fixtures.line;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.htmlunit.WebClient;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportRunTest {

    private static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());

    /** Fails on an error of a script. */
    private final WebClient browser = new WebClient();

    @TempDir
    private Path folder;

    @AfterEach
    void closeBrowser() {
        browser.close();
    }

    @Test
    void pageHoldsEveryContenderAndEveryLockProfileAndNothingFromElsewhere() throws Exception {
        HtmlPage page = page(Fixtures.comparison(), true);

        assertThat(text(page))
                .contains("connection", "template", "memshard-sticky", "socket-per-thread")
                .contains("Where Memshard loses", "Errors, timeouts, wrong values", "What the threads wait for")
                .contains("bench/run compare --quick --seed 42", "noise (A/A)", "1.2 %", "Java Blocking")
                .contains("lock", "90.0 (120)", "900", "800 \u00b5s");
        assertThat(page.getElementsByTagName("svg")).hasSize(3 + 2 + 2 + 2);
        assertThat(text(page))
                .contains("connection raced against itself had intervals from 0.9")
                .doesNotContain("wide margin");
        assertHasTheTable(page);
        assertHasTheHeadline(page);
        assertLoadsNothingButItsDataAndItsScript(page);
        // Text of others stays text.
        assertThat(page.getElementsByTagName("script")).hasSize(2);
        assertThat(text(page)).contains("<script>alert(\"x\")</script> & 'more' ");
    }

    private static void assertHasTheTable(HtmlPage page) {
        List<String> rows = page.getElementsByTagName("tr").stream()
                .map(row -> row.getTextContent())
                .filter(row -> row.startsWith("64memshard-sticky"))
                .toList();

        assertThat(rows)
                .singleElement()
                .satisfies(row ->
                        assertThat(row).contains("faster", "164,000", "9.00", "5.00", "75.0", "300", "2,700", "0.90"));
    }

    private static void assertHasTheHeadline(HtmlPage page) {
        assertThat(lede(page))
                .startsWith("At 64 threads, memshard-sticky made 164 k operations a second, 4.0")
                .contains("times those of connection (95 % interval 3.")
                .contains(" and 8.20 times those of template, a pool of 20")
                .contains("another contender was, or may be, faster in 1 of 2 cells");
    }

    @Test
    void headlineWithoutMemshardSaysSo() throws Exception {
        assertThat(lede(page(Fixtures.comparison(List.of(line("connection", 8, 1, 20, 400, 0))), false)))
                .isEqualTo("Memshard with its defaults did not take part. The highest ratio to connection is that of"
                        + " connection: 1.00 at 8 threads.");
    }

    @Test
    void noiseIsTheSpreadOfTheBaselineAgainstItself() throws Exception {
        assertThat(text(page(Fixtures.comparison(List.of(line("connection-again", 8, 1.4, 20, 400, 0))), false)))
                .contains("wide margin");
    }

    private void assertLoadsNothingButItsDataAndItsScript(HtmlPage page) throws IOException {
        for (String tag : List.of("link", "img", "iframe", "object", "image", "use")) {
            assertThat(page.getElementsByTagName(tag)).as(tag).isEmpty();
        }
        assertThat(page.getElementsByTagName("script"))
                .extracting(script -> script.getAttribute("src"))
                .containsExactly("report-data.js", "report.js");
        assertThat(Files.readString(folder.resolve("report.html")))
                .doesNotContain("url(")
                .doesNotContain("@import");
        assertThat(page.getElementsByTagName("a"))
                .extracting(link -> link.getAttribute("href"))
                .contains("slices.csv", "environment.csv", "locks.json", "locks-template-t8.jfr")
                .allSatisfy(href -> assertThat(href).doesNotContain(":").doesNotContain("/"));
    }

    @Test
    void chartStandsAloneAndLooksTheSameInAViewerWithoutStyleSheets() throws Exception {
        draw(Fixtures.comparison(), false);

        Document chart = parse(folder.resolve("chart.svg"));
        assertThat(chart.getDocumentElement().getNamespaceURI()).isEqualTo("http://www.w3.org/2000/svg");
        assertThat(chart.getDocumentElement().getTextContent()).contains("memshard-sticky", "operations a second");
        assertThat(elements(chart, "desc"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.getTextContent())
                        .startsWith("Operations a second with 64 threads: memshard-sticky 164 k"));
        assertThat(elements(chart, "style"))
                .singleElement()
                .satisfies(style -> assertThat(style.getTextContent())
                        .matches("@media \\(prefers-color-scheme: dark\\) \\{( \\[[^]{}]+] \\{[^{}]+})+ }"));
        assertThat(elements(chart, "path").get(0).getAttribute("fill")).isEqualTo("#ffffff");
        assertThat(elements(chart, "text"))
                .isNotEmpty()
                .allSatisfy(text -> assertThat(text.getAttribute("fill")).matches("#[0-9a-f]{6}"));
        assertThat(elements(chart, "line"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.getAttribute("stroke")).matches("#[0-9a-f]{6}"));
    }

    @Test
    void locksAloneAreEnough() throws Exception {
        Fixtures.locks().write(folder);
        assertThat(ReportRun.run(folder, NOWHERE)).isTrue();

        assertThat(text(open())).contains("Lock profiles only");
        assertThat(folder.resolve("chart.svg")).doesNotExist();
    }

    @Test
    void comparisonWithoutLinesIsStillAPage() throws Exception {
        assertThat(text(page(Fixtures.comparison(List.of()), false))).contains("No contender finished a round");
    }

    @Test
    void folderWithoutResultsHasNoReport() {
        assertThat(ReportRun.run(folder, NOWHERE)).isFalse();
    }

    private HtmlPage page(ComparisonResult comparison, boolean withLocks) throws IOException {
        draw(comparison, withLocks);
        return open();
    }

    private void draw(ComparisonResult comparison, boolean withLocks) {
        ComparisonFiles.write(folder, comparison);
        if (withLocks) {
            Fixtures.locks().write(folder);
        }
        assertThat(ReportRun.run(folder, NOWHERE)).isTrue();
    }

    private HtmlPage open() throws IOException {
        return browser.getPage(folder.resolve("report.html").toUri().toURL());
    }

    private static String text(HtmlPage page) {
        return page.getElementById("main").getTextContent();
    }

    private static String lede(HtmlPage page) {
        DomElement first = page.getElementsByTagName("p").get(0);
        assertThat(first.getAttribute("class")).isEqualTo("lede");
        return first.getTextContent();
    }

    private static Document parse(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    private static List<Element> elements(Document page, String tag) {
        NodeList nodes = page.getElementsByTagNameNS("*", tag);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}
