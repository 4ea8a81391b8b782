// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.page.Comparison;
import io.memshard.bench.lab.page.ComparisonCharts;
import io.memshard.bench.lab.page.LabPictures;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.page.LabTables;
import io.memshard.bench.result.MarkdownTable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

final class Pages {

    private static final Path DOCS = Path.of(System.getProperty("memshard.bench.docs", "docs"));

    static final List<Path> ALL =
            List.of(DOCS.resolve("benchmarks.md"), DOCS.resolve("lab.md"), DOCS.resolve("latency.md"));

    private Pages() {}

    static Map<String, Function<Marker, String>> markers() {
        Map<String, Function<Marker, String>> markers = new HashMap<>();
        markers.put(
                "ratios",
                marker -> Comparison.read(marker.data())
                        .table(marker.after("to").isEmpty() ? "" : marker.only("to", "NAME"), marker.after("of")));
        markers.put(
                "chart",
                marker -> marker.image(ComparisonCharts.panels(
                        marker.before("to").stream()
                                .map(folder -> Comparison.read(marker.path(folder)))
                                .toList(),
                        marker.labels())));
        markers.put("lab-forest", Pages::forest);
        markers.put(
                "lab-waits",
                marker -> LabTables.waits(
                        marker.data(),
                        marker.words().get(1),
                        Condition.parse(marker.only("at", "CONDITION")),
                        marker.labels()));
        markers.put("lab-ranks", marker -> LabTables.ranks(marker.data(), claim(marker)));
        return markers;
    }

    private static Claim claim(Marker marker) {
        String name = marker.only("of", "CLAIM");
        return Claims.load()
                .named(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no claim \"" + name + "\""));
    }

    private static String forest(Marker marker) {
        Claims claims = Claims.load();
        List<LabReport> reports = marker.before("to").stream()
                .map(folder -> LabReport.of(marker.path(folder), claims))
                .toList();
        List<Finding> findings =
                reports.stream().flatMap(report -> report.findings().stream()).toList();
        MarkdownTable<String> runs = new MarkdownTable<String>().text("run of", fact -> fact);
        reports.forEach(report -> runs.text(report.fact("experiments"), report::fact));
        return marker.image(LabPictures.forest(findings)) + "\n" + LabReport.table(findings) + "\n"
                + runs.of(List.of("started", "commit", "cpus"));
    }
}
