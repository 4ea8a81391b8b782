// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.page.ComparedForks;
import io.memshard.bench.lab.page.Comparison;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.CsvRow;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultsPageTest {

    private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void readmeHasTheMediansOfTheRatiosToThePool() throws IOException {
        assertThat(Files.readString(DOCS.resolveSibling("README.md")).replaceAll("\\s+", " "))
                .contains("%s, %s and %s times the gets of a pool".formatted(ratiosToThePool("blocking-jdk17")))
                .contains("%s, %s and %s times those of a pool".formatted(ratiosToThePool("sixteen-cores-jdk17")));
    }

    /** Returns the ratios of Memshard's gets to those of the pool with 8, 64 and 200 threads. */
    private static Object[] ratiosToThePool(String run) {
        List<String> rows = Comparison.read(DOCS.resolve("results").resolve(run))
                .table("template", List.of("memshard-sticky"))
                .lines()
                .toList();
        List<String> head = List.of(rows.get(0).split(" \\| ?", -1));
        List<String> cells = List.of(rows.get(2).split(" \\| ?", -1));
        return Stream.of(8, 64, 200)
                .map(threads -> cells.get(head.indexOf(threads + " threads")).split("[ ,]", 2)[0])
                .map(ratio -> String.format(Locale.ROOT, "%.1f", Double.valueOf(ratio)))
                .toArray();
    }

    /** The table has the run of that day; {@code ServersIT} writes the file. */
    @Test
    void versionsHaveTheOutcomesOnEachServer() throws IOException {
        Map<String, List<CsvRow>> servers = Csv.read(DOCS.resolve("results/servers.csv")).stream()
                .collect(Collectors.groupingBy(row -> row.text("server")));
        String page = Files.readString(DOCS.resolve("versions.md"));
        assertThat(servers).hasSize(9).allSatisfy((server, rows) -> {
            String counts = Stream.of("ok", "unsupported", "refused", "closed", "wrong")
                    .map(outcome -> rows.stream()
                            .filter(row -> row.text("outcome").equals(outcome))
                            .count())
                    .map(String::valueOf)
                    .collect(Collectors.joining(" | ", "| " + server + " | ", " |"));
            assertThat(page).contains(counts);
        });
    }

    @Test
    void thePagesUseAllResultsThatAreKept() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> pages = Files.walk(DOCS, 2)) {
            for (Path page :
                    pages.filter(file -> file.toString().endsWith(".md")).toList()) {
                text.append(Files.readString(page));
            }
        }
        try (Stream<Path> results = Files.list(DOCS.resolve("results"))) {
            assertThat(results)
                    .isNotEmpty()
                    .allSatisfy(result -> assertThat(text).contains("results/" + result.getFileName()));
        }
    }

    @Test
    void aPictureIsSmallAndHasADescription() throws IOException {
        try (Stream<Path> images = Files.list(DOCS.resolve("images"))) {
            assertThat(images.filter(image -> image.toString().endsWith(".svg")))
                    .isNotEmpty()
                    .allSatisfy(image -> assertThat(image)
                            .content()
                            .hasSizeLessThan(60_000)
                            .containsPattern("<desc[^>]*>[^<]{20,}")
                            .contains("prefers-color-scheme: dark"));
        }
    }

    /** Large tables are packed. A {@code pages} folder, which the build may make, is not kept. */
    @Test
    void theResultsThatAreKeptAreFewAndSmall() throws IOException {
        try (Stream<Path> walk = Files.walk(DOCS.resolve("results"))) {
            List<File> files = walk.filter(path -> !path.toString().contains("/pages"))
                    .map(Path::toFile)
                    .filter(File::isFile)
                    .toList();
            assertThat(files)
                    .hasSizeBetween(1, 70)
                    .noneMatch(file -> file.getName().endsWith(".md"));
            assertThat(files.stream().mapToLong(File::length).sum()).isLessThanOrEqualTo(1_200_000);
        }
    }

    @Test
    void aTableStandsBetweenItsMarkers() throws IOException {
        data(3, "", 0, 0);

        page("before\n<!-- ratios data -->\nold\n<!-- end -->\nafter\n").write();

        assertThat(folder.resolve("page.md")).hasContent("""
                        before
                        <!-- ratios data -->

                        | ratio to connection | 1 thread | 8 threads |
                        |---|--:|--:|
                        | connection | 1, 10.0 us | 1, 10.0 us |
                        | template | 0.50 [0.45, 0.55] slower, 20.0 us | 0.50 [0.45, 0.55] slower, 20.0 us |
                        | memshard-sticky | 2.00 [2.00, 2.00] faster, 5.0 us | 2.00 [2.00, 2.00] faster, 5.0 us |

                        <!-- end -->
                        after
                        """);
        assertThat(generated("ratios data to template of memshard-sticky"))
                .contains(
                        "| ratio to template | 1 thread | 8 threads |", "| memshard-sticky | 4.00 [3.64, 4.44] faster")
                .doesNotContain("| connection");
    }

    /** One JVM has no interval. The machine was busy, or the baseline ran 1.1 times as fast the second time. */
    @ParameterizedTest
    @CsvSource({
        "1, '', 0, The ratios have no interval, 2.00",
        "3, load average 3.0 on 2 CPUs, 0, **BUSY**, '2.00 [2.00, 2.00]'",
        "3, '', 1100, **NOISY**, '1.91 [1.91, 1.91]'"
    })
    void aRunWhoseFiguresAreInDoubtHasNoVerdict(int forks, String busy, long again, String mark, String ratio)
            throws IOException {
        data(forks, busy, again, 0);

        assertThat(generated("ratios data"))
                .contains(mark, "| memshard-sticky | " + ratio + ", 5.0 us |")
                .doesNotContain("] faster", "] slower");
    }

    @Test
    void aRunHasATableOfItsCostsAndOneOfItsLatencies() throws IOException {
        data(3, "", 0, 0);

        assertThat(generated("costs data of memshard-sticky"))
                .contains("| 8 threads, get of 100 B | memshard-sticky | 250 | 100 | 3.00 |")
                .doesNotContain("connection");
        assertThat(generated("latency data")).contains("| 8 | 0 | - | 0 | memshard-sticky | 2,000 | - |");
    }

    @Test
    void aChartMayHaveFewerLinesUnderOtherNames() throws IOException {
        data(3, "", 0, 0);

        assertThat(generated("chart data to new/pages/chart.svg of template=a_pool memshard-sticky=ours"))
                .contains("![Operations a second: 2 processors, a pool of 20, 3 JVMs, 8 threads: ours 2,000, ");
        assertThat(folder.resolve("new/pages/chart.svg"))
                .content()
                .contains(">a pool</text>", ">ours</text>")
                .doesNotContain("connection");
    }

    @Test
    void aRingMarksWhereOneClientPassesThePool() throws IOException {
        data(3, "", 0, 1500);

        assertThat(generated("chart data to chart.svg of template=pool connection=one_client"))
                .contains("8 threads: one client 1,000, pool 500; one client passes the pool between 1 and 8 threads.");
        assertThat(folder.resolve("chart.svg")).content().contains(">one client passes the pool</text>");
    }

    @Test
    void aPageIsStaleWhenANumberOfTableOrDataChanges() throws IOException {
        data(3, "", 0, 0);
        page("<!-- ratios data -->\n<!-- end -->\n<!-- chart data to chart.svg -->\n<!-- end -->\n")
                .write();
        Path page = folder.resolve("page.md");
        assertThat(ResultsPage.of(page).stale()).isEmpty();

        Files.writeString(page, Files.readString(page).replace("| 2.00 [", "| 2.01 ["));
        assertThat(ResultsPage.of(page).stale()).containsExactly(page);
        ResultsPage.of(page).write();
        assertThat(ResultsPage.of(page).stale()).isEmpty();

        Path forks = folder.resolve("data").resolve(ForkFile.NAME);
        Files.writeString(forks, Files.readString(forks).replace(",2000,", ",2100,"));
        assertThat(ResultsPage.of(page).stale()).containsExactlyInAnyOrder(page, folder.resolve("chart.svg"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!-- ratios nowhere -->;<!-- end -->                  | page.md, line 1: cannot read ",
                "x;<!-- chart nowhere to c.svg -->;<!-- end -->        | page.md, line 2: cannot read ",
                "<!-- ratios data to nobody -->;<!-- end -->           | line 1: contender \"nobody\" did not take part",
                "<!-- ratios data of nobody -->;<!-- end -->           | line 1: contender \"nobody\" did not take part",
                "<!-- costs data of nobody -->;<!-- end -->            | line 1: this run has no bytes of all threads of",
                "<!-- chart data -->;<!-- end -->                      | line 1: the marker must contain \"to FILE\"",
                "<!-- chart data to c.svg of nobody=x -->;<!-- end --> | line 1: contender \"nobody\" did not take part",
                "<!-- chart data to c.svg of template -->;<!-- end --> | line 1: \"template\" must have the form NAME",
                "<!-- ratios data -->;x                                | \"<!-- ratios data -->\" is unmatched",
                "<!-- end -->                                          | \"<!-- end -->\" is unmatched"
            })
    void aMarkerThatCannotBeFollowedIsNamed(String text, String fault) throws IOException {
        data(3, "", 0, 0);

        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> page(text.replace(';', '\n')))
                .withMessageContaining(fault);
    }

    private ResultsPage page(String text) throws IOException {
        return ResultsPage.of(Files.writeString(folder.resolve("page.md"), text));
    }

    private String generated(String marker) throws IOException {
        page("<!-- " + marker + " -->\n<!-- end -->\n").write();
        return Files.readString(folder.resolve("page.md"));
    }

    /** Writes a comparison of three contenders at two numbers of threads. */
    private void data(int forks, String busy, long again, long alone) {
        ComparedForks run = new ComparedForks(folder.resolve("data"), busy);
        for (int fork = 1; fork <= forks; fork++) {
            for (int threads : new int[] {1, 8}) {
                add(run, fork, "memshard-sticky", threads, 2000);
                add(run, fork, "connection", threads, 1000);
                if (again > 0) {
                    add(run, fork, "connection-again", threads, again);
                }
                long pool = forks == 1 ? 500 : 400 + 50 * fork;
                add(run, fork, "template", threads, threads == 1 && alone > 0 ? alone : pool);
            }
        }
    }

    private static void add(ComparedForks run, int fork, String contender, int threads, long operations) {
        run.fork(fork, 1, contender, threads, operations, 10_000.0 / operations);
    }
}
