// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import io.memshard.bench.chart.Picture;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Marker of a page, such as {@code <!-- chart FOLDER to FILE -->}: its first word is its kind. A part adds other files
 * that it generates to {@code files}.
 *
 * <p>Threading: confined to one thread.
 */
public record Marker(Path page, String kind, List<String> words, Map<Path, String> files) {

    private static final Set<String> KEYWORDS = Set.of("to", "of", "at");

    /** Returns the first of the words. */
    public String name() {
        return words.get(0);
    }

    /** Returns the file or folder that the first word names. */
    public Path data() {
        return path(name());
    }

    /** Returns the path of {@code name}, which is relative to the page. */
    public Path path(String name) {
        return page.resolveSibling(name);
    }

    /** Returns the words after {@code keyword}, which is "to", "of" or "at"; none without that. */
    public List<String> after(String keyword) {
        int start = words.indexOf(keyword);
        return start < 0
                ? List.of()
                : words.subList(start + 1, words.size()).stream()
                        .takeWhile(word -> !KEYWORDS.contains(word))
                        .toList();
    }

    /** Returns the words before {@code keyword}. */
    public List<String> before(String keyword) {
        return words.stream().takeWhile(word -> !word.equals(keyword)).toList();
    }

    /**
     * Returns the only word after {@code keyword}. If there are none or several, fails and names {@code what} is
     * missing.
     */
    public String only(String keyword, String what) {
        List<String> found = after(keyword);
        if (found.size() != 1) {
            throw new IllegalArgumentException("the marker needs \"" + keyword + " " + what + "\"");
        }
        return found.get(0);
    }

    /** Returns the labels after "of", each NAME=LABEL with {@code _} for a space, by their names. */
    public Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String word : after("of")) {
            int sign = word.indexOf('=');
            if (sign < 0) {
                throw new IllegalArgumentException("\"" + word + "\" is not NAME=LABEL");
            }
            labels.put(word.substring(0, sign), word.substring(sign + 1).replace('_', ' '));
        }
        return labels;
    }

    /** Returns the number in {@code word}. */
    public static int number(String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + word + "\" is no number", e);
        }
    }

    /** Adds {@code picture} as the file after "to", and returns a line that shows it, with its finding as its text. */
    public String image(Picture picture) {
        String file = only("to", "FILE");
        files.put(path(file), picture.svg());
        return "![" + picture.finding() + "](" + file + ")\n";
    }
}
