// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** The site in a browser. It needs chromium on the PATH. */
class SiteIT {

    private static final long PATIENCE_SECONDS = 120;

    /** Page that opens all others in frames of each width, one after the other, and measures them. */
    private static final String SURVEY = """
            <!DOCTYPE html><body><script>
            const found = [];
            function lacking(query) {
              query.value = query.placeholder;
              return query.scrollWidth - query.clientWidth;
            }
            async function survey() {
              for (const [width, page] of [390, 1280].flatMap(width => [PAGES].map(page => [width, page]))) {
                const frame = document.createElement("iframe");
                Object.assign(frame, { width, height: 900, src: page });
                frame.style.border = 0;
                document.body.append(frame);
                await new Promise(loaded => { frame.onload = loaded; });
                const wide = frame.contentDocument.documentElement.scrollWidth;
                const copies = frame.contentDocument.querySelectorAll("button.copy").length;
                const lack = lacking(frame.contentDocument.getElementById("query"));
                const size = wide + " of " + width + " wide";
                found.push(page + " is " + size + ", has " + copies + " buttons, and its search lacks " + lack);
                frame.remove();
              }
              document.body.innerHTML = "<pre></pre>";
              document.querySelector("pre").textContent = found.join("\\n");
            }
            survey();
            </script>
            """;

    private static final Pattern LINE =
            Pattern.compile("([^\\s>]+) is (\\d+) of (\\d+) wide, has (\\d+) buttons, and its search lacks (\\d+)");

    private static final Pattern FIRST_FOUND = Pattern.compile("([^\\s>]+) finds ([^\\s<]+)");

    /** Page that opens the first page with each of the words, and lists what the search finds first. */
    private static final String SEARCHES = """
            <!DOCTYPE html><body><script>
            const found = [];
            async function search() {
              for (const words of [WORDS]) {
                const frame = document.createElement("iframe");
                frame.src = "index.html?q=" + words;
                document.body.append(frame);
                await new Promise(loaded => { frame.onload = loaded; });
                const first = frame.contentDocument.querySelector("#found li a");
                found.push(words + " finds " + (first ? first.getAttribute("href") : "nothing"));
              }
              document.body.innerHTML = "<pre></pre>";
              document.querySelector("pre").textContent = found.join("\\n");
            }
            search();
            </script>
            """;

    @TempDir
    private Path folder;

    private Path chromium;
    private Path site;

    @BeforeEach
    void writeSite() throws IOException {
        chromium = chromium();
        site = folder.resolve("site");
        Site.of(Path.of("..")).writeTo(site);
    }

    private record Found(String page, int width, int most, int buttons, int searchLacks) {}

    @Test
    void noPageScrollsSidewaysAndTheSearchBoxHasRoomForItsNameAndCodeHasAButton() throws Exception {
        List<Found> pages = survey();

        assertThat(pages).hasSizeGreaterThan(40).allSatisfy(page -> {
            assertThat(page.width()).as("width of %s", page.page()).isLessThanOrEqualTo(page.most());
            assertThat(page.searchLacks())
                    .as("pixels that the search box of %s lacks", page.page())
                    .isZero();
        });
        assertThat(pages)
                .filteredOn(page -> page.page().equals("docs/get-started.html"))
                .hasSize(2)
                .allSatisfy(page -> assertThat(page.buttons()).isGreaterThan(5));
    }

    @Test
    void thePageOfTheWordsIsFoundFirst() throws Exception {
        Map<String, String> addresses = Map.of(
                "pool+size", "docs/connections.html#how-many",
                "circuit-breaker", "docs/servers.html#when-a-server-is-down",
                "time-out", "docs/failures.html#time-outs",
                "dogpile", "docs/get-or-load.html",
                "WebFlux", "docs/reactor-and-kotlin.html#reactor",
                "ketama", "docs/rings.html");
        String words = addresses.keySet().stream().map(each -> '"' + each + '"').collect(Collectors.joining(", "));

        String shown = shown("search.html", SEARCHES.replace("WORDS", words));

        assertThat(FIRST_FOUND.matcher(shown).results().collect(Collectors.toMap(f -> f.group(1), f -> f.group(2))))
                .isEqualTo(addresses);
    }

    private List<Found> survey() throws Exception {
        String pages;
        try (Stream<Path> files = Files.walk(site)) {
            pages = files.filter(file -> file.toString().endsWith(".html"))
                    .map(file -> '"' + site.relativize(file).toString().replace('\\', '/') + '"')
                    .collect(Collectors.joining(", "));
        }
        Matcher line = LINE.matcher(shown("survey.html", SURVEY.replace("PAGES", pages)));
        return line.results()
                .map(found -> new Found(
                        found.group(1),
                        Integer.parseInt(found.group(2)),
                        Integer.parseInt(found.group(3)),
                        Integer.parseInt(found.group(4)),
                        Integer.parseInt(found.group(5))))
                .toList();
    }

    /** Returns the document that a page of the site with the text {@code html} makes of itself. */
    private String shown(String name, String html) throws IOException, InterruptedException {
        Path page = Files.writeString(site.resolve(name), html);
        Path output = folder.resolve("shown.html");
        Process browser = new ProcessBuilder(
                        chromium.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-web-security",
                        "--allow-file-access-from-files",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=60000",
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(browser.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("chromium ended in time")
                    .isTrue();
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
        }
        return Files.readString(output, UTF_8);
    }

    private static Path chromium() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Arrays.stream(path.split(File.pathSeparator)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () -> new TestAbortedException(SkippedTests.LACK + "chromium, install the package chromium"));
    }
}
