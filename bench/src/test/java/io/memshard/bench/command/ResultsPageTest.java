// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.result.SliceResult.Fairness;
import io.memshard.bench.result.SliceResult.Latency;
import io.memshard.bench.result.SliceResult.Readings;
import io.memshard.bench.result.SliceResult.Scheduling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResultsPageTest {

    private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private static final List<String> PAGES = List.of(
            "benchmarks.md",
            "benchmarks-cells.md",
            "benchmarks-losses.md",
            "rings.md",
            "servers.md",
            "lab.md",
            "lab-experiments.md",
            "latency.md",
            "observability.md",
            "versions.md",
            "adr/0010-serializers.md");

    /** Those of the lab are tested there. */
    @Test
    @Tag("deep")
    void tablesAndChartsOfThePagesAreThoseOfTheData() {
        List<String> pages =
                BenchPart.all().stream().flatMap(part -> part.pages().stream()).toList();
        assertThat(pages)
                .contains("benchmarks", "versions", "adr/0010-serializers")
                .allSatisfy(page -> assertThat(
                                ResultsPage.of(DOCS.resolve(page + ".md")).stale())
                        .as("files that bench/run tables would change")
                        .isEmpty());
    }

    /** Those of the lab are tested there. */
    @Test
    void readmeListsTheMarkers() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        assertThat(BenchPart.all().stream().flatMap(part -> part.markers().keySet().stream()))
                .contains("ratios", "environment")
                .allSatisfy(name -> assertThat(readme).contains("| `<!-- " + name + " "));
    }

    /** README has the medians with 64 and 200 threads: with fewer the placement by the kernel decides. */
    @Test
    void readmeHasTheRatiosToThePoolOfTheTable() throws IOException {
        String row = Files.readAllLines(DOCS.resolve("benchmarks.md")).stream()
                .dropWhile(line -> !line.startsWith("| ratio to template |"))
                .filter(line -> line.startsWith("| memshard-sticky |"))
                .findFirst()
                .orElseThrow();
        List<String> ratios = Pattern.compile("(\\S+) \\[")
                .matcher(row)
                .results()
                .map(ratio -> String.format(Locale.ROOT, "%.1f", Double.parseDouble(ratio.group(1))))
                .toList();
        assertThat(ratios).hasSize(4);
        assertThat(Files.readString(DOCS.resolveSibling("README.md")))
                .contains("%s and %s times the gets of a pool".formatted(ratios.get(2), ratios.get(3)));
    }

    @Test
    void thePagesUseAllResultsThatAreKept() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String page : PAGES) {
            text.append(Files.readString(DOCS.resolve(page)));
        }
        try (Stream<Path> results = Files.list(DOCS.resolve("results"))) {
            assertThat(results)
                    .isNotEmpty()
                    .allSatisfy(result -> assertThat(text).contains("results/" + result.getFileName()));
        }
    }

    /** A person reads them in ten minutes; the rest stands on the pages behind them. */
    @ParameterizedTest
    @ValueSource(strings = {"benchmarks.md", "lab.md"})
    void aPageForAPersonHasAtMost250Lines(String page) throws IOException {
        assertThat(Files.readAllLines(DOCS.resolve(page))).hasSizeLessThanOrEqualTo(250);
    }

    @Test
    void aPictureIsSmallAndSaysWhatIsToBeSeen() throws IOException {
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

    /** Large tables are packed; what can be drawn again is not kept. */
    @Test
    void theResultsThatAreKeptAreAtMostTwoMegabytes() throws IOException {
        try (Stream<Path> results = Files.walk(DOCS.resolve("results"))) {
            assertThat(results.mapToLong(file ->
                                    file.toFile().isFile() ? file.toFile().length() : 0)
                            .sum())
                    .isBetween(1L, 2_000_000L);
        }
    }

    @Test
    void aTableStandsBetweenItsMarkers() throws IOException {
        data();
        ResultsPage page = page("before\n<!-- ratios data -->\nold\n<!-- end -->\nafter\n");

        page.write();

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
    }

    @Test
    void aTableMayHaveAnotherBaselineAndFewerLines() throws IOException {
        data();

        page("<!-- ratios data to template of memshard-sticky -->\n<!-- end -->\n")
                .write();

        assertThat(folder.resolve("page.md"))
                .content()
                .contains(
                        "| ratio to template | 1 thread | 8 threads |", "| memshard-sticky | 4.00 [3.64, 4.44] faster")
                .doesNotContain("| connection");
    }

    @Test
    void detailsEnvironmentAndJmhAreTablesToo() throws IOException {
        data();
        Files.writeString(folder.resolve("jmh.csv"), """
                "Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: contender"
                "x.GetBenchmark.get","thrpt",1,3,92.163162,99.603407,"ops/ms",MEMSHARD_STICKY
                "x.GetBenchmark.get:gc.alloc.rate.norm","thrpt",1,3,232.311225,NaN,"B/op",MEMSHARD_STICKY
                """);

        page("""
                <!-- details data -->
                <!-- end -->
                <!-- environment data -->
                <!-- end -->
                <!-- jmh jmh.csv of gc.alloc.rate.norm -->
                <!-- end -->
                """).write();

        assertThat(folder.resolve("page.md"))
                .content()
                .contains("### 8 threads, get of 100 B")
                .contains("| memshard-sticky | 2 | 2.00 [2.00, 2.00] faster | 2,000 [2,000, 2,000] | 5.0 | 3.0"
                        + " | 125,000 [125,000, 125,000] | 10 | 20 | >= 900,000 | >= 1,000,000 | 0.90 | 0 | 0 | 0 |")
                .contains("commit 0123456789ab-dirty", "again: `bench/run compare`")
                .contains("| threads | contender | score | error (99.9 %) | unit |")
                .contains("| 1 | MEMSHARD_STICKY | 232.3 | - | B/op |")
                .doesNotContain("ops/ms");
    }

    @Test
    void coresAndFairnessAreTablesToo() throws IOException {
        data();

        page("<!-- cores data of memshard-sticky -->\n<!-- end -->\n<!-- fairness data -->\n<!-- end -->\n")
                .write();

        assertThat(folder.resolve("page.md"))
                .content()
                .contains("| operations a core-second | 1 thread | 8 threads |")
                .contains("| memshard-sticky | 125,000 [125,000, 125,000]; 5.0 + 3.0 us |")
                .contains("| template | 0.90, >= 1000 ms | 0.90, >= 1000 ms |");
    }

    @Test
    void oneJvmHasNoInterval() throws IOException {
        data(1);

        page("<!-- ratios data -->\n<!-- end -->\n").write();

        assertThat(folder.resolve("page.md"))
                .content()
                .contains("| memshard-sticky | 2.00, 5.0 us |", "**One JVM**: no interval.");
    }

    /** The machine was busy, or the baseline ran 1.1 times as fast the second time. */
    @ParameterizedTest
    @CsvSource({"load average 3.0 on 2 CPUs,0,BUSY,'2.00 [2.00, 2.00]'", "'',1100,NOISY,'1.91 [1.91, 1.91]'"})
    void aRunWhoseFiguresAreInDoubtHasNoVerdict(String busy, long again, String mark, String ratio) throws IOException {
        data(3, busy, again);

        page("<!-- ratios data -->\n<!-- end -->\n").write();

        assertThat(folder.resolve("page.md"))
                .content()
                .contains("**" + mark + "**", "| memshard-sticky | " + ratio + ", 5.0 us |")
                .doesNotContain("faster", "slower");
    }

    @Test
    void aFolderForWhatIsGeneratedIsMadeWhereNeeded() throws IOException {
        data();

        page("<!-- chart data to new/pages/chart.svg -->\n<!-- end -->\n").write();

        assertThat(folder.resolve("new/pages/chart.svg")).content().startsWith("<svg");
    }

    @Test
    void aChartMayHaveFewerLinesUnderOtherNames() throws IOException {
        data();

        page("<!-- chart data to chart.svg of template=a_pool memshard-sticky=ours -->\n<!-- end -->\n")
                .write();

        assertThat(folder.resolve("chart.svg"))
                .content()
                .contains(
                        ">a pool</text>",
                        ">ours</text>",
                        "<desc>Operations a second with 8 threads: ours 2,000, a pool 500.</desc>")
                .doesNotContain("connection");
    }

    @Test
    void slicesAndCpuTimeArePicturesToo() throws IOException {
        data();

        page("""
                <!-- chart-slices data at 1 8 to slices.svg of template=a_pool -->
                <!-- end -->
                <!-- chart-cpu data at 8 to cpu.svg -->
                <!-- end -->
                """).write();

        assertThat(folder.resolve("slices.svg")).content().contains(">threads: 8</text>", ">JVM 3</text>");
        assertThat(folder.resolve("cpu.svg")).content().contains(">memshard-sticky</text>", ">server</text>");
        assertThat(folder.resolve("page.md"))
                .content()
                .contains("with 1, 8 threads: a pool 450 to 550, 450 to 550.](slices.svg)")
                .contains("with 8 threads: memshard-sticky 5.0 + 3.0 us, connection 10.0 + 3.0 us");
    }

    @Test
    void aPageIsStaleWhenANumberOfTableOrDataChanges() throws IOException {
        data();
        page("<!-- ratios data -->\n<!-- end -->\n<!-- chart data to chart.svg -->\n<!-- end -->\n")
                .write();
        Path page = folder.resolve("page.md");
        assertThat(ResultsPage.of(page).stale()).isEmpty();

        Files.writeString(page, Files.readString(page).replace("| 2.00 [", "| 2.01 ["));
        assertThat(ResultsPage.of(page).stale()).containsExactly(page);
        ResultsPage.of(page).write();
        assertThat(ResultsPage.of(page).stale()).isEmpty();

        Path slices = folder.resolve("data").resolve(ComparisonFiles.SLICES);
        Files.writeString(slices, Files.readString(slices).replace(",2000,0,0,0,10000000,", ",2100,0,0,0,10000000,"));
        assertThat(ResultsPage.of(page).stale()).containsExactlyInAnyOrder(page, folder.resolve("chart.svg"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!-- ratios nowhere -->;<!-- end -->                  | page.md, line 1: cannot read ",
                "x;<!-- jmh none.csv of get -->;<!-- end -->           | page.md, line 2: cannot read ",
                "<!-- ratios data to nobody -->;<!-- end -->           | line 1: contender \"nobody\" did not take part",
                "<!-- ratios data of nobody -->;<!-- end -->           | line 1: contender \"nobody\" did not take part",
                "<!-- chart data -->;<!-- end -->                      | line 1: the marker needs \"to FILE\"",
                "<!-- chart data to c.svg of nobody=x -->;<!-- end --> | line 1: contender \"nobody\" did not take part",
                "<!-- chart data to c.svg of template -->;<!-- end --> | line 1: \"template\" is not NAME=LABEL",
                "<!-- chart-cpu data to c.svg -->;<!-- end -->         | line 1: the marker needs \"at N\"",
                "<!-- chart-cpu data at x to c.svg -->;<!-- end -->    | line 1: \"x\" is no number",
                "<!-- ratios data -->;x                                | \"<!-- ratios data -->\" has no <!-- end -->",
                "<!-- ratios data -->;<!-- details data -->;<!-- end -->| line 2: \"<!-- ratios data -->\" has no <!-- end --> before",
                "<!-- end -->                                          | line 1: <!-- end --> without a marker before it"
            })
    void aMarkerThatCannotBeFollowedIsNamed(String text, String fault) throws IOException {
        data();

        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> page(text.replace(';', '\n')))
                .withMessageContaining(fault);
    }

    private ResultsPage page(String text) throws IOException {
        return ResultsPage.of(Files.writeString(folder.resolve("page.md"), text));
    }

    /** A comparison of three contenders at two numbers of threads. */
    private void data() {
        data(3);
    }

    private void data(int forks) {
        data(forks, "", 0);
    }

    private void data(int forks, String busy, long again) {
        List<SliceResult> slices = new ArrayList<>();
        for (int fork = 1; fork <= forks; fork++) {
            for (int threads : new int[] {1, 8}) {
                slices.add(slice(fork, "memshard-sticky", threads, 2000));
                slices.add(slice(fork, "connection", threads, 1000));
                if (again > 0) {
                    slices.add(slice(fork, "connection-again", threads, again));
                }
                slices.add(slice(fork, "template", threads, forks == 1 ? 500 : 400 + 50 * fork));
            }
        }
        ComparisonFiles.write(
                folder.resolve("data"),
                new ComparisonResult(
                        new Environment(
                                Instant.EPOCH,
                                2,
                                "cpu",
                                "Linux",
                                "17",
                                List.of(),
                                "server:1",
                                "found",
                                "1.6.18",
                                null,
                                0,
                                0,
                                "0123456789ab",
                                true,
                                "bench/run compare"),
                        new ComparisonResult.Plan(
                                "cloud",
                                20,
                                forks,
                                1,
                                1000,
                                10,
                                1,
                                List.of("connection", "connection-again", "template", "memshard-sticky"),
                                busy),
                        slices));
    }

    private static SliceResult slice(int fork, String contender, int threads, long operations) {
        return new SliceResult(
                new Condition(threads, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1),
                fork,
                1,
                1,
                contender,
                2,
                1_000_000_000,
                operations,
                0,
                0,
                0,
                10_000_000,
                new Latency(10, 20, 900_000, 1_000_000),
                new Fairness(0.9, 1, 2),
                new Readings(3000.0 * operations, 0, 0, 0, 0, Scheduling.UNKNOWN));
    }
}
