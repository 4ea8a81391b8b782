// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.Marker;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.report.ComparisonCharts;
import io.memshard.bench.report.HtmlReport;
import io.memshard.bench.report.HtmlReport.Section;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.table.ComparisonTables;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Comparison of clients on pages and in the report of a run. Threading: stateless. */
public final class ComparisonPart {

    private ComparisonPart() {}

    /** Returns the functions that generate the text of a marker, by its kind; {@code reader} reads a folder. */
    public static Map<String, Function<Marker, String>> markers(Function<Path, ComparisonResult> reader) {
        return Map.of("ratios", marker -> ratios(marker, reader), "chart", marker -> chart(marker, reader));
    }

    private static String chart(Marker marker, Function<Path, ComparisonResult> reader) {
        List<ComparisonResult> panels = marker.before("to").stream()
                .map(folder -> reader.apply(marker.path(folder)))
                .toList();
        return marker.image(ComparisonCharts.panels(panels, marker.labels()));
    }

    private static String ratios(Marker marker, Function<Path, ComparisonResult> reader) {
        ComparisonResult result = reader.apply(marker.data());
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
                    "Throughput",
                    ran.isEmpty() ? List.of() : List.of(ComparisonCharts.panels(List.of(comparison), Map.of())),
                    missing));
            sections.add(new Section("All figures", List.of(), ComparisonTables.details(comparison)));
            sections.add(new Section("Environment", List.of(), ComparisonTables.environment(comparison)));
        }
        if (locks != null && !locks.profiles().isEmpty()) {
            sections.add(new Section("Lock profiles", List.of(), locks.table()));
        }
        out.println("- report: " + HtmlReport.write(folder, "Memshard benchmark report", sections));
    }
}
