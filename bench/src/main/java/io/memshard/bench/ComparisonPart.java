// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchPart;
import io.memshard.bench.command.BenchTerminal;
import io.memshard.bench.command.Marker;
import io.memshard.bench.command.ResultsPage;
import io.memshard.bench.jmh.LockRun;
import io.memshard.bench.locks.LockOptions;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.report.ComparisonCharts;
import io.memshard.bench.report.HtmlReport;
import io.memshard.bench.report.HtmlReport.Section;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.table.ComparisonTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/**
 * Part with the comparison of clients, the lock profiles and JMH: commands, markers and reports.
 *
 * <p>Threading: stateless.
 */
public final class ComparisonPart implements BenchPart {

    @Override
    public List<Callable<Integer>> commands() {
        return List.of(new Locks(), new Tables(), new Jmh());
    }

    @Override
    public List<String> pages() {
        return List.of("benchmarks");
    }

    @Override
    public Map<String, Function<Marker, String>> markers() {
        return Map.of("ratios", ComparisonPart::ratios, "chart", ComparisonPart::chart);
    }

    private static String chart(Marker marker) {
        List<ComparisonResult> panels = marker.before("to").stream()
                .map(folder -> result(marker.path(folder)))
                .toList();
        return marker.image(ComparisonCharts.panels(panels, marker.labels()));
    }

    /** Returns the comparison in {@code folder}, which is of slices unless another part knows its files. */
    private static ComparisonResult result(Path folder) {
        return BenchPart.all().stream()
                .flatMap(part -> part.comparison(folder).stream())
                .findFirst()
                .orElseGet(() -> ComparisonFiles.read(folder));
    }

    private static String ratios(Marker marker) {
        ComparisonResult result = result(marker.data());
        String baseline = marker.after("to").isEmpty() ? result.plan().baseline() : marker.only("to", "NAME");
        return ComparisonTables.ratios(result, baseline, marker.after("of"));
    }

    /** Writes the report of a run into {@code folder}. A part that did not run is null. */
    public static void report(
            Path folder, @Nullable ComparisonResult comparison, @Nullable LockReport locks, PrintWriter out) {
        List<Section> sections = new ArrayList<>();
        if (comparison != null) {
            List<String> ran = comparison.summaries().stream()
                    .map(ContenderSummary::contender)
                    .toList();
            String missing = comparison.plan().contenders().stream()
                    .filter(contender -> !ran.contains(contender))
                    .map(contender -> "**" + contender + "** did not run.\n\n")
                    .collect(Collectors.joining());
            sections.add(new Section(
                    "Throughput and CPU time",
                    ran.isEmpty()
                            ? List.of()
                            : List.of(
                                    ComparisonCharts.throughput(comparison, Map.of()),
                                    ComparisonCharts.cpu(comparison, mostThreads(comparison), Map.of())),
                    missing));
            sections.add(new Section("All figures", List.of(), ComparisonTables.details(comparison)));
            sections.add(new Section("Environment", List.of(), ComparisonTables.environment(comparison)));
        }
        if (locks != null) {
            sections.add(new Section("Lock profiles", List.of(), locks.table()));
        }
        out.println("- report: " + HtmlReport.write(folder, "Memshard benchmark report", sections));
    }

    private static int mostThreads(ComparisonResult comparison) {
        return comparison.summaries().stream()
                .filter(line ->
                        line.condition().isLike(comparison.summaries().get(0).condition()))
                .mapToInt(line -> line.condition().threads())
                .max()
                .orElse(0);
    }

    @Command(name = "locks", description = "Records what the threads of each contender wait for; not timed.")
    private static final class Locks extends BenchCommand {
        @Mixin
        private LockOptions options = new LockOptions();

        @Override
        public Integer call() {
            LockRun run = new LockRun(options.toPlan());
            Path folder = folder(options.out());
            try (BenchServer server = BenchServer.find(options.server())) {
                report(folder, null, run.run(server, folder, typed(), out(), BenchTerminal.isTerminal()), out());
            }
            return 0;
        }
    }

    @Command(
            name = "tables",
            description = "Generates the tables and the charts of the pages in docs that show results from the data.")
    private static final class Tables extends BenchCommand {
        @Parameters(
                arity = "0..*",
                paramLabel = "PAGE",
                description = "Markdown pages with markers (default: all of these).")
        private List<Path> pages = List.of();

        @Override
        public Integer call() {
            for (Path page : pages.isEmpty() ? BenchTerminal.pages() : pages) {
                ResultsPage generated = ResultsPage.of(page);
                List<Path> stale = generated.stale();
                generated.write();
                stale.forEach(file -> out().println("- changed: " + file));
            }
            out().flush();
            return 0;
        }
    }

    @Command(
            name = "jmh",
            description = "Runs the JMH benchmarks. All further arguments go to JMH; -h shows its options.")
    private static final class Jmh implements Callable<Integer> {
        @Unmatched
        private List<String> arguments = new ArrayList<>();

        @Override
        public Integer call() throws IOException {
            org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
            return 0;
        }
    }
}
