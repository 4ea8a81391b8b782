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
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Markdown page whose markers, comments on separate lines, determine the text up to {@code <!-- end -->}. */
final class ResultsPage {

    private static final Pattern MARKER = Pattern.compile("<!-- ([a-z-]+) (.*?) ?-->");
    private static final String END = "<!-- end -->";

    private final Map<Path, String> files = new LinkedHashMap<>();
    private final Path page;
    private final Map<String, Function<Marker, String>> kinds;

    private ResultsPage(Path page, Map<String, Function<Marker, String>> kinds) {
        this.page = page;
        this.kinds = kinds;
    }

    static ResultsPage of(Path page, Map<String, Function<Marker, String>> markers) {
        ResultsPage generated = new ResultsPage(page, markers);
        generated.files.put(page, generated.text());
        return generated;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        String open = null;
        int number = 0;
        for (String line : TextFile.read(page).split("\n", -1)) {
            String where = page + ", line " + ++number + ": ";
            Marker marker = marker(line);
            if (marker != null && open != null) {
                throw new BenchException(where + "\"" + open + "\" has no " + END + " before this");
            }
            if (line.equals(END)) {
                if (open == null) {
                    throw new BenchException(where + END + " without a marker before it");
                }
                open = null;
            }
            if (open == null) {
                text.append(line).append('\n');
            }
            if (marker != null) {
                open = line;
                text.append('\n').append(content(marker, where)).append('\n');
            }
        }
        if (open != null) {
            throw new BenchException(page + ": \"" + open + "\" has no " + END);
        }
        text.setLength(text.length() - 1);
        return text.toString();
    }

    private @Nullable Marker marker(String line) {
        Matcher matcher = MARKER.matcher(line);
        return matcher.matches() && kinds.containsKey(matcher.group(1))
                ? new Marker(page, matcher.group(1), List.of(matcher.group(2).split(" ", -1)), files)
                : null;
    }

    private String content(Marker marker, String where) {
        try {
            return Objects.requireNonNull(kinds.get(marker.kind())).apply(marker);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new BenchException(where + e.getMessage(), e);
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
