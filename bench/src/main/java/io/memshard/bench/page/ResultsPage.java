// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.page;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.Experiments;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.page.VerdictTable;
import io.memshard.bench.report.ReportRun;
import io.memshard.bench.report.RingCharts;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.RingFiles;
import io.memshard.bench.result.RingResult;
import io.memshard.bench.result.ScaleFiles;
import io.memshard.bench.result.ScaleResult;
import io.memshard.bench.table.ComparisonTables;
import io.memshard.bench.table.JmhTable;
import io.memshard.bench.table.RingTables;
import io.memshard.bench.table.ScaleTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown page in which the tables are generated. A marker, which is a comment on a line of its own, says what
 * belongs between it and the next {@code <!-- end -->}:
 *
 * <table>
 * <caption>Markers; a path is relative to the page</caption>
 * <tr><td>{@code <!-- ratios FOLDER -->}<td>a line for each contender, a column for each condition
 * <tr><td>{@code <!-- ratios FOLDER to NAME of NAME NAME -->}<td>the same with another baseline and only the contenders
 *     that are named; either part may be left out
 * <tr><td>{@code <!-- cores FOLDER of NAME NAME -->}<td>operations a second of CPU time of client and server; all
 *     contenders if none is named
 * <tr><td>{@code <!-- fairness FOLDER of NAME NAME -->}<td>Jain's index and the longest wait, in the same way
 * <tr><td>{@code <!-- losses FOLDER -->}<td>every cell in which another contender is ahead of Memshard
 * <tr><td>{@code <!-- details FOLDER -->}<td>all figures, a table for each condition
 * <tr><td>{@code <!-- environment FOLDER -->}<td>machine, commit and command
 * <tr><td>{@code <!-- chart FOLDER to FILE -->}<td>throughput over threads as an image, which is written to FILE
 * <tr><td>{@code <!-- jmh FILE of METRIC -->}<td>the rows of a file that JMH wrote whose benchmark ends with METRIC
 * <tr><td>{@code <!-- rings FOLDER of TABLE N N -->}<td>a table of rings, one of {@link RingTables.Kind}, for these
 *     numbers of servers or for all
 * <tr><td>{@code <!-- rings-chart FOLDER of CHART N to FILE -->}<td>a drawing of rings, one of {@link RingCharts.Kind}
 * <tr><td>{@code <!-- rings-environment FOLDER -->}<td>machine, commit and command
 * <tr><td>{@code <!-- scale FOLDER -->}<td>what many servers cost, a line for each number of servers
 * <tr><td>{@code <!-- scale-environment FOLDER -->}<td>machine, commit and command
 * <tr><td>{@code <!-- lab-claims all -->}<td>the claims that the lab tests
 * <tr><td>{@code <!-- lab FOLDER -->}<td>the verdicts on a run of the lab; a page for each claim is written into
 *     {@code pages} of that folder
 * <tr><td>{@code <!-- lab-arms FOLDER of EXPERIMENT -->}<td>all arms of a run of the lab next to the baseline
 * <tr><td>{@code <!-- lab-jmh FOLDER of FILE -->}<td>ratios of a run of the lab beside those in a file that
 *     {@code bench/run lab jmh} wrote
 * </table>
 *
 * <p>Threading: immutable. Failure: {@link BenchException} for a marker that cannot be followed, naming its line;
 * {@link UncheckedIOException} for a file that cannot be read or written.
 */
public final class ResultsPage {

    private static final Pattern MARKER = Pattern.compile(
            "<!-- (ratios|cores|fairness|losses|details|environment|chart|jmh|rings|rings-chart|rings-environment"
                    + "|scale|scale-environment|lab-claims|lab-arms|lab-jmh|lab)"
                    + " (.*?) ?-->");
    private static final String END = "<!-- end -->";

    private final Path page;
    private final String text;
    private final Map<Path, String> charts;

    private ResultsPage(Path page, String text, Map<Path, String> charts) {
        this.page = page;
        this.text = text;
        this.charts = charts;
    }

    /** Reads {@code page} and the data that its markers name, and generates it anew; nothing is written. */
    public static ResultsPage of(Path page) {
        Map<Path, String> charts = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder();
        String marker = null;
        int number = 0;
        for (String line : read(page).split("\n", -1)) {
            number++;
            Matcher matcher = MARKER.matcher(line);
            boolean starts = matcher.matches();
            if (starts && marker != null) {
                throw new BenchException(
                        page + ", line " + number + ": \"" + marker + "\" has no " + END + " before this");
            }
            if (line.equals(END)) {
                if (marker == null) {
                    throw new BenchException(page + ", line " + number + ": " + END + " without a marker before it");
                }
                marker = null;
            }
            if (marker == null) {
                text.append(line).append('\n');
            }
            if (starts) {
                marker = line;
                try {
                    text.append('\n')
                            .append(content(page, matcher.group(1), matcher.group(2), charts))
                            .append('\n');
                } catch (IllegalArgumentException | UncheckedIOException e) {
                    throw new BenchException(page + ", line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        if (marker != null) {
            throw new BenchException(page + ": \"" + marker + "\" has no " + END);
        }
        text.setLength(text.length() - 1);
        return new ResultsPage(page, text.toString(), charts);
    }

    private static String content(Path page, String kind, String arguments, Map<Path, String> charts) {
        List<String> words = List.of(arguments.split(" ", -1));
        Path data = page.resolveSibling(words.get(0));
        List<String> to = wordsAfter("to", words);
        List<String> of = wordsAfter("of", words);
        if (kind.equals("jmh")) {
            return JmhTable.of(CsvRow.read(data), only(of, "of METRIC"));
        }
        if (kind.equals("lab-claims")) {
            return VerdictTable.claims(Claims.load());
        }
        if (kind.equals("lab-arms")) {
            return LabReport.arms(data, Experiments.named(only(of, "of EXPERIMENT")));
        }
        if (kind.equals("lab-jmh")) {
            return LabReport.crossCheck(data, CsvRow.read(page.resolveSibling(only(of, "of FILE"))));
        }
        if (kind.equals("lab")) {
            LabReport report = LabReport.of(data, Claims.load());
            Path pages = data.resolve("pages");
            report.files().forEach((name, content) -> charts.put(pages.resolve(name), content));
            return report.index(words.get(0) + "/pages/");
        }
        if (kind.startsWith("rings")) {
            return rings(page, kind, data, of, to, charts);
        }
        if (kind.startsWith("scale")) {
            ScaleResult scale = ScaleFiles.read(data);
            return kind.equals("scale") ? ScaleTables.table(scale) : ScaleTables.environment(scale);
        }
        ComparisonResult result = ComparisonFiles.read(data);
        return switch (kind) {
            case "ratios" ->
                ComparisonTables.ratios(result, to.isEmpty() ? result.plan().baseline() : only(to, "to NAME"), of);
            case "cores" -> ComparisonTables.cores(result, of);
            case "fairness" -> ComparisonTables.fairness(result, of);
            case "losses" -> ComparisonTables.losses(result);
            case "details" -> ComparisonTables.details(result).stripTrailing() + "\n";
            case "environment" -> ComparisonTables.environment(result);
            case "chart" -> {
                String file = only(to, "to FILE");
                charts.put(page.resolveSibling(file), ReportRun.chart(result));
                yield "![Throughput over threads](" + file + ")\n";
            }
            default -> throw new IllegalArgumentException("unknown marker " + kind);
        };
    }

    private static String rings(
            Path page, String kind, Path data, List<String> of, List<String> to, Map<Path, String> charts) {
        RingResult result = RingFiles.read(data);
        if (kind.equals("rings-environment")) {
            return RingTables.environment(result);
        }
        if (of.isEmpty()) {
            throw new IllegalArgumentException("the marker needs \"of TABLE\" or \"of CHART\"");
        }
        List<Integer> counts = of.stream().skip(1).map(ResultsPage::number).toList();
        if (kind.equals("rings")) {
            return RingTables.table(result, named(RingTables.Kind.class, of.get(0)), counts);
        }
        RingCharts.Kind chart = named(RingCharts.Kind.class, of.get(0));
        if (counts.size() != 1) {
            throw new IllegalArgumentException("the marker needs \"of CHART N\" with a number of servers");
        }
        String file = only(to, "to FILE");
        charts.put(page.resolveSibling(file), RingCharts.draw(result, chart, counts.get(0)));
        return "![" + (chart == RingCharts.Kind.BALANCE ? "Balance" : "Time of a look-up") + " of every ring](" + file
                + ")\n";
    }

    private static int number(String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + word + "\" is no number of servers", e);
        }
    }

    private static <E extends Enum<E>> E named(Class<E> type, String name) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("rings have no \"" + name + "\"; there are "
                + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
    }

    /** The words between {@code keyword} and the next keyword. */
    private static List<String> wordsAfter(String keyword, List<String> words) {
        int start = words.indexOf(keyword);
        return start < 0
                ? List.of()
                : words.subList(start + 1, words.size()).stream()
                        .takeWhile(word -> !word.equals("to") && !word.equals("of"))
                        .toList();
    }

    private static String only(List<String> words, String what) {
        if (words.size() != 1) {
            throw new IllegalArgumentException("the marker needs \"" + what + "\"");
        }
        return words.get(0);
    }

    /** The files whose text differs from the generated one: the page, its charts, or none. */
    public List<Path> stale() {
        return generated().entrySet().stream()
                .filter(file ->
                        !Files.exists(file.getKey()) || !read(file.getKey()).equals(file.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Writes the page, its charts and the pages of a run of the lab, into folders that are made where needed. */
    public void write() {
        generated().forEach((file, content) -> {
            try {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.writeString(file, content);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
            }
        });
    }

    private Map<Path, String> generated() {
        Map<Path, String> files = new LinkedHashMap<>(charts);
        files.put(page, text);
        return files;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
