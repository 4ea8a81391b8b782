// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.page.Comparison;
import io.memshard.bench.lab.page.ComparisonCharts;
import io.memshard.bench.lab.page.LabData;
import io.memshard.bench.lab.page.LabPictures;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.page.LabTables;
import io.memshard.bench.lab.page.OpenLoopTables;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.result.Picture;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Comment in a page, such as {@code <!-- chart FOLDER to FILE -->}, after which a table or a picture is generated. */
record Marker(Path page, String kind, List<String> words, Map<Path, String> files) {

    static final Set<String> KINDS =
            Set.of("ratios", "chart", "latency", "outage", "costs", "lab-forest", "lab-waits", "lab-ranks");

    private static final Set<String> KEYWORDS = Set.of("to", "of", "at");

    String text() {
        Path data = path(words.get(0));
        return switch (kind) {
            case "ratios" -> Comparison.read(data).table(after("to").isEmpty() ? "" : only("to", "NAME"), after("of"));
            case "chart" -> image(ComparisonCharts.panels(each(Comparison::read), labels()));
            case "latency" -> new OpenLoopTables(LabData.read(data)).latency();
            case "costs" -> LabTables.costs(data, after("of"));
            case "outage" -> new OpenLoopTables(LabData.read(data)).outage();
            case "lab-forest" -> forest(Claims.load());
            case "lab-waits" -> LabTables.waits(data, words.get(1), Condition.parse(only("at", "CONDITION")), labels());
            case "lab-ranks" -> LabTables.ranks(data, Claims.load().named(only("of", "CLAIM")));
            default -> throw new IllegalArgumentException("unknown marker \"" + kind + "\"");
        };
    }

    private String forest(Claims claims) {
        List<LabReport> reports = each(folder -> LabReport.of(folder, claims));
        List<Finding> findings =
                reports.stream().flatMap(report -> report.findings().stream()).toList();
        MarkdownTable<String> runs = new MarkdownTable<String>().text("run of", fact -> fact);
        reports.forEach(report -> runs.text(report.fact("experiments"), report::fact));
        return image(LabPictures.forest(findings)) + "\n" + LabReport.table(findings) + "\n"
                + runs.of(List.of("started", "commit", "cpus"));
    }

    private Path path(String name) {
        return page.resolveSibling(name);
    }

    private <T> List<T> each(Function<Path, T> reader) {
        return words.stream()
                .takeWhile(word -> !KEYWORDS.contains(word))
                .map(folder -> reader.apply(path(folder)))
                .toList();
    }

    private List<String> after(String keyword) {
        int start = words.indexOf(keyword);
        return start < 0
                ? List.of()
                : words.subList(start + 1, words.size()).stream()
                        .takeWhile(word -> !KEYWORDS.contains(word))
                        .toList();
    }

    private String only(String keyword, String what) {
        List<String> found = after(keyword);
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    "the marker must contain \"" + keyword + " " + what + "\", where " + what + " is one word");
        }
        return found.get(0);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String word : after("of")) {
            String[] sides = word.split("=", 2);
            if (sides.length < 2) {
                throw new IllegalArgumentException("\"" + word + "\" must have the form NAME=LABEL");
            }
            labels.put(sides[0], sides[1].replace('_', ' '));
        }
        return labels;
    }

    private String image(Picture picture) {
        String file = only("to", "FILE");
        files.put(path(file), picture.svg());
        return "![" + picture.finding() + "](" + file + ")\n";
    }
}
