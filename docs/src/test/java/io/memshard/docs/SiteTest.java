// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteTest {

    /** Pages of this repository, which are read once. */
    private static Site repository;

    @BeforeAll
    static void readRepository() throws IOException {
        repository = Site.of(Path.of(".."));
    }

    @TempDir
    private Path root;

    private Path out;

    @BeforeEach
    void makeRepository() throws IOException {
        out = root.resolve("out");
        write("README.md", "# Memshard\n\nSee [settings](docs/settings.md#the-pool-and-its-size).\n");
        write("docs/README.md", "# Manual\n\n## Guide\n\n- [Overview](../README.md)\n- [Settings](settings.md)\n");
        write(
                "docs/settings.md",
                "# Settings\n\n## The pool, and its `size`\n\n| a | b |\n|---|---|\n| one \"x\" | two |\n\n"
                        + "[Back](../README.md), [code](../pom.xml), [tree](../docs), ![chart](chart.svg)\n\n"
                        + "## Twice\n\n## Twice\n\n[second](#twice-1)\n");
        write("docs/chart.svg", "<svg/>");
        write("pom.xml", "<project/>");
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private String written(String file) throws IOException {
        return Files.readString(out.resolve(file));
    }

    @Test
    void linksLeadToPagesOfTheSiteOrToTheRepository() throws IOException {
        assertThat(Site.of(root).writeTo(out)).isEqualTo(3);

        assertThat(written("index.html")).contains("href=\"docs/settings.html#the-pool-and-its-size\"");
        assertThat(written("docs/settings.html"))
                .contains(
                        "<h2 id=\"the-pool-and-its-size\">",
                        "<h2 id=\"twice-1\">",
                        "href=\"#twice-1\"",
                        "href=\"../index.html\">Back",
                        "href=\"https://github.com/memshard/memshard/blob/main/pom.xml\"",
                        "href=\"https://github.com/memshard/memshard/tree/main/docs\"",
                        "<td>two</td>");
        assertThat(out.resolve("docs/chart.svg")).hasContent("<svg/>");
    }

    @Test
    void eachPageHasTheContentsAndItsNeighbours() throws IOException {
        Site.of(root).writeTo(out);

        assertThat(written("docs/settings.html"))
                .contains(
                        "<h2>Guide</h2>",
                        "<a aria-current=\"page\" href=\"settings.html\">Settings</a>",
                        "<a rel=\"prev\" href=\"../index.html\">Overview</a>");
        assertThat(written("index.html")).contains("<a rel=\"next\" href=\"docs/settings.html\">Settings</a>");
    }

    @Test
    void onlyTheSectionOfThePageIsOpen() throws IOException {
        write(
                "docs/README.md",
                "# Manual\n\n## Start\n\n- [Overview](../README.md)\n\n## Values\n\n- [Settings](settings.md)\n");
        Site.of(root).writeTo(out);

        assertThat(written("docs/settings.html"))
                .contains("<details><summary><h2>Start</h2>", "<details open><summary><h2>Values</h2>");
        assertThat(written("index.html"))
                .contains("<details open><summary><h2>Start</h2>", "<details><summary><h2>Values</h2>");
    }

    @Test
    void aPageHasATitleAndNamesItsSource() throws IOException {
        Site.of(root).writeTo(out);

        assertThat(written("index.html")).contains("<title>Memshard: a memcached client for the JVM</title>");
        assertThat(written("docs/settings.html"))
                .contains(
                        "<title>Settings - Memshard</title>",
                        "href=\"https://github.com/memshard/memshard/blob/main/docs/settings.md\">Source of this page");
    }

    @Test
    void aTableHasABoxInWhichItScrolls() throws IOException {
        Site.of(root).writeTo(out);

        assertThat(written("docs/settings.html")).contains("<div class=\"table\">\n<table>", "</table>\n</div>");
    }

    @Test
    void aTableOfTypesLeadsToTheirJavadocWhereItWasBuilt() throws IOException {
        write(
                "docs/settings.md",
                "# Settings\n\n## The pool, and its `size`\n\n| type | package |\n|---|---|\n"
                        + "| `Memshard` | `io.memshard` |\n| `Server` | `io.memshard.testkit` |\n");
        Site.of(root).writeTo(out);
        assertThat(written("docs/settings.html"))
                .contains("<td><code>Memshard</code></td>")
                .doesNotContain("javadoc");

        write("sharding/target/reports/apidocs/io.memshard/io/memshard/Memshard.html", "of Memshard");
        write("testkit/target/reports/apidocs/io/memshard/testkit/Other.html", "of another");
        Site.of(root).writeTo(out);

        assertThat(written("docs/settings.html"))
                .contains(
                        "<td><a href=\"../javadoc/sharding/io.memshard/io/memshard/Memshard.html\"><code>Memshard</code>"
                                + "</a></td>",
                        "<td><code>Server</code></td>");
        assertThat(written("javadoc/sharding/io.memshard/io/memshard/Memshard.html"))
                .isEqualTo("of Memshard");
    }

    @Test
    void theSearchIndexHasEachSectionWithItsText() throws IOException {
        Site.of(root).writeTo(out);

        assertThat(written("search-index.js"))
                .contains("[\"docs/settings.html#the-pool-and-its-size\",\"Settings\",\"The pool, and its size\","
                        + "\"a b one \\\"x\\\" two Back, code, tree, chart\"]");
    }

    @Test
    void nothingIsFetchedFromElsewhere() throws IOException {
        Site.of(root).writeTo(out);

        assertThat(written("index.html")).doesNotContainPattern("(src|stylesheet\" href)=\"(https?:)?//");
    }

    @Test
    void everyLinkThatLeadsNowhereIsNamed() throws IOException {
        write("docs/settings.md", "# Settings\n\n[a](gone.md) ![b](gone.svg) [c](#none) [d](../../out.md)\n");

        assertThatExceptionOfType(SiteException.class)
                .isThrownBy(() -> Site.of(root))
                .withMessageContainingAll(
                        "README.md: docs/settings.md#the-pool-and-its-size leads to no heading",
                        "docs/settings.md: gone.md leads nowhere",
                        "docs/settings.md: gone.svg leads nowhere",
                        "docs/settings.md: #none leads to no heading",
                        "docs/settings.md: ../../out.md leads nowhere");
    }

    @Test
    void aPageThatTheContentsLackIsNamed() throws IOException {
        write("docs/new.md", "# New\n");

        assertThatExceptionOfType(SiteException.class)
                .isThrownBy(() -> Site.of(root))
                .withMessage("docs/new.md is not in docs/README.md");
    }

    /** As the script of the search does it: all words in one section, and "-" counts neither there nor here. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kotlin                  | docs/reactor-and-kotlin.md",
                "coroutine               | docs/reactor-and-kotlin.md",
                "reactor                 | docs/reactor-and-kotlin.md",
                "WebFlux                 | docs/reactor-and-kotlin.md",
                "stampede                | docs/get-or-load.md",
                "dogpile                 | docs/get-or-load.md",
                "thundering herd         | docs/get-or-load.md",
                "circuit breaker         | docs/servers.md",
                "circuit-breaker         | docs/servers.md",
                "TypeReference           | docs/values.md",
                "AutoConfigureMemcached  | docs/spring-boot.md",
                "allEntries              | docs/spring-cache.md",
                "pool size               | docs/connections.md",
                "OpenTelemetry           | docs/observability.md",
                "timeout                 | docs/failures.md"
            })
    void theWordsThatPeopleSearchForAreFound(String words, Path page) {
        assertThat(repository.pages().get(page).headings())
                .anySatisfy(section -> assertThat(words.split(" "))
                        .allSatisfy(word -> assertThat(section.title() + ' ' + section.text())
                                .containsPattern(pattern(word))));
    }

    private static Pattern pattern(String word) {
        String letters = Stream.of(word.split(""))
                .map(letter -> letter.equals("-") ? "[- ]?" : Pattern.quote(letter))
                .collect(Collectors.joining("-?"));
        return Pattern.compile(letters, Pattern.CASE_INSENSITIVE);
    }

    @Test
    void theRepositorysPagesFormASite() throws IOException {
        assertThat(repository.writeTo(out)).isGreaterThan(20);
    }
}
