// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.chart.Markup;
import io.memshard.bench.result.ComparisonFiles;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportRunTest {

    private static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());

    @TempDir
    private Path folder;

    @Test
    void pageIsWellFormedAndHoldsEveryContender() throws Exception {
        ComparisonFiles.write(folder, Fixtures.comparison());
        Fixtures.locks().write(folder);

        Document page = parse(draw());

        String text = page.getDocumentElement().getTextContent();
        assertThat(text)
                .contains("connection", "template", "memshard-sticky", "socket-per-thread")
                .contains("Where Memshard loses", "Errors, timeouts, wrong values", "What the threads wait for")
                .contains("bench/run compare --quick --seed 42", "noise (A/A)", "1.2 %", "Java Blocking");
        assertThat(elements(page, "svg")).hasSize(2 + 1 + 2 + 2 + 2);
        assertThat(elements(page, "script")).isEmpty();
    }

    @Test
    void textOfOthersStaysText() throws Exception {
        ComparisonFiles.write(folder, Fixtures.comparison());
        Fixtures.locks().write(folder);

        Path page = draw();

        assertThat(Files.readString(page)).doesNotContain("<script").doesNotContain("\u0000");
        assertThat(parse(page).getDocumentElement().getTextContent())
                .contains("<script>alert(\"x\")</script> & 'more' \uFFFD");
    }

    @Test
    void pageLoadsNothing() throws Exception {
        ComparisonFiles.write(folder, Fixtures.comparison());
        Fixtures.locks().write(folder);

        Path file = draw();

        Document page = parse(file);
        for (String tag : List.of("link", "img", "iframe", "object", "image", "use")) {
            assertThat(elements(page, tag)).as(tag).isEmpty();
        }
        assertThat(Files.readString(file)).doesNotContain("url(").doesNotContain("@import");
        assertThat(elements(page, "a"))
                .extracting(link -> link.getAttribute("href"))
                .contains("slices.csv", "environment.csv", "locks.json", "locks-template-t8.jfr")
                .allSatisfy(href -> assertThat(href).doesNotContain(":").doesNotContain("/"));
    }

    @Test
    void chartStandsAlone() throws Exception {
        ComparisonFiles.write(folder, Fixtures.comparison());

        draw();

        Document chart = parse(folder.resolve("chart.svg"));
        assertThat(chart.getDocumentElement().getNamespaceURI()).isEqualTo("http://www.w3.org/2000/svg");
        assertThat(chart.getDocumentElement().getTextContent()).contains("memshard-sticky", "operations a second");
    }

    @Test
    void chartLooksTheSameInAViewerWithoutStyleSheets() throws Exception {
        ComparisonFiles.write(folder, Fixtures.comparison());

        draw();

        Document chart = parse(folder.resolve("chart.svg"));
        assertThat(elements(chart, "style")).isEmpty();
        assertThat(elements(chart, "rect").get(0).getAttribute("fill")).isEqualTo("#ffffff");
        assertThat(elements(chart, "text"))
                .isNotEmpty()
                .allSatisfy(text -> assertThat(text.getAttribute("fill")).matches("#[0-9a-f]{6}"));
        for (String tag : List.of("line", "path")) {
            assertThat(elements(chart, tag))
                    .isNotEmpty()
                    .allSatisfy(
                            stroke -> assertThat(stroke.getAttribute("stroke")).matches("#[0-9a-f]{6}"));
        }
        assertThat(elements(chart, "path"))
                .filteredOn(path -> path.getAttribute("stroke-linejoin").equals("round"))
                .hasSize(4)
                .allSatisfy(path -> assertThat(path.getAttribute("fill")).isEqualTo("none"));
    }

    @Test
    void eitherFileIsEnough() throws Exception {
        Fixtures.locks().write(folder);

        Document page = parse(draw());

        assertThat(page.getDocumentElement().getTextContent()).contains("Lock profiles only");
        assertThat(folder.resolve("chart.svg")).doesNotExist();
    }

    @Test
    void comparisonWithoutLinesIsStillAPage() throws Exception {
        ComparisonFiles.write(folder, Fixtures.comparison(List.of()));

        assertThat(parse(draw()).getDocumentElement().getTextContent()).contains("No contender finished a round");
    }

    @Test
    void folderWithoutResultsHasNoReport() {
        assertThat(ReportRun.run(folder, NOWHERE)).isFalse();
    }

    @Test
    void elementsThatDoNotMatchAreRefused() {
        assertThatThrownBy(() -> new Markup().open("p").close("div")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new Markup().open("p").toString()).isInstanceOf(IllegalStateException.class);
    }

    private static Document parse(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        byte[] text =
                Files.readString(file).replaceFirst("^<!DOCTYPE html>\n", "").getBytes(StandardCharsets.UTF_8);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(text));
    }

    private static List<Element> elements(Document page, String tag) {
        NodeList nodes = page.getElementsByTagNameNS("*", tag);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private Path draw() {
        assertThat(ReportRun.run(folder, NOWHERE)).isTrue();
        return folder.resolve("report.html");
    }
}
