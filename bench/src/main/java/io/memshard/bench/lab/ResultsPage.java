// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.TextFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Markdown page with its pictures. The text between a {@link Marker} and {@code <!-- end -->} is generated. */
record ResultsPage(Map<Path, String> files) {

    private static final Path DOCS = Path.of(System.getProperty("memshard.bench.docs", "docs"));

    static final List<Path> ALL = Stream.of("benchmarks.md", "lab.md", "latency.md", "realistic-load.md")
            .map(DOCS::resolve)
            .toList();

    private static final String END = "<!-- end -->";
    private static final Pattern BLOCK =
            Pattern.compile("(?m)^(<!-- ([a-z-]+) (.*?) ?-->)\n(?:(?!<!-- ).*\n)*+" + END + "$");
    private static final Pattern HALF =
            Pattern.compile("(?m)^(" + END + "|<!-- (" + String.join("|", Marker.KINDS) + ") .*)$");

    static ResultsPage of(Path page) {
        String old = TextFile.read(page);
        Matcher half = HALF.matcher(BLOCK.matcher(old).replaceAll(""));
        if (half.find()) {
            throw new BenchException(
                    page + ": \"" + half.group() + "\" is unmatched: write one line " + END + " after each marker");
        }
        Map<Path, String> files = new LinkedHashMap<>();
        String text = BLOCK.matcher(old).replaceAll(block -> {
            long line = old.substring(0, block.start()).lines().count() + 1;
            return Matcher.quoteReplacement(block.group(1) + "\n\n" + content(page, block, line, files) + "\n" + END);
        });
        files.put(page, text);
        return new ResultsPage(files);
    }

    private static String content(Path page, MatchResult block, long line, Map<Path, String> files) {
        try {
            return new Marker(page, block.group(2), List.of(block.group(3).split(" ", -1)), files).text();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new BenchException(page + ", line " + line + ": " + e.getMessage(), e);
        }
    }

    List<Path> stale() {
        return files.entrySet().stream()
                .filter(file -> !Files.exists(file.getKey())
                        || !TextFile.read(file.getKey()).equals(file.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    void write() {
        files.forEach(TextFile::write);
    }
}
