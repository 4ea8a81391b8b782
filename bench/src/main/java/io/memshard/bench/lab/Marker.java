// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.result.Picture;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Marker of a page, such as {@code <!-- chart FOLDER to FILE -->}. Generated pictures are added to {@code files}. */
record Marker(Path page, String kind, List<String> words, Map<Path, String> files) {

    private static final Set<String> KEYWORDS = Set.of("to", "of", "at");

    String name() {
        return words.get(0);
    }

    Path data() {
        return path(name());
    }

    Path path(String name) {
        return page.resolveSibling(name);
    }

    /** Returns the words from {@code keyword} to the next keyword, both excluded; none if it is missing. */
    List<String> after(String keyword) {
        int start = words.indexOf(keyword);
        return start < 0
                ? List.of()
                : words.subList(start + 1, words.size()).stream()
                        .takeWhile(word -> !KEYWORDS.contains(word))
                        .toList();
    }

    List<String> before(String keyword) {
        return words.stream().takeWhile(word -> !word.equals(keyword)).toList();
    }

    String only(String keyword, String what) {
        List<String> found = after(keyword);
        if (found.size() != 1) {
            throw new IllegalArgumentException("the marker needs \"" + keyword + " " + what + "\"");
        }
        return found.get(0);
    }

    /** Returns labels by name: each word after "of" is NAME=LABEL, with {@code _} for a space in the label. */
    Map<String, String> labels() {
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

    String image(Picture picture) {
        String file = only("to", "FILE");
        files.put(path(file), picture.svg());
        return "![" + picture.finding() + "](" + file + ")\n";
    }
}
