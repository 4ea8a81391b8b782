// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Table of contents: {@code docs/README.md}, whose headings are sections and whose links are their pages. The
 * repository and the site therefore share one table.
 *
 * <p>Threading: immutable.
 */
record Contents(List<Section> sections) {

    static final Path FILE = Path.of("docs", "README.md");

    /** Section of the manual. */
    record Section(String title, List<Entry> entries) {}

    /** Page with its name in the table of contents. */
    record Entry(String name, Path page) {}

    private static final Pattern LINE =
            Pattern.compile("^(?:## (?<section>.+)|.*?\\[(?<name>[^]]+)]\\((?<link>[^)#]+)\\).*)$");

    static Contents read(Path root) throws IOException {
        List<Section> sections = new ArrayList<>();
        for (String line : Files.readAllLines(root.resolve(FILE))) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                continue;
            }
            if (matcher.group("section") != null) {
                sections.add(new Section(matcher.group("section"), new ArrayList<>()));
            } else if (!sections.isEmpty()) {
                Path page = FILE.resolveSibling(matcher.group("link")).normalize();
                sections.get(sections.size() - 1).entries().add(new Entry(matcher.group("name"), page));
            }
        }
        return new Contents(sections);
    }

    /** Returns the pages in the order of reading, and this table last. */
    Set<Path> pages() {
        Set<Path> pages = new LinkedHashSet<>();
        sections.forEach(section -> section.entries().forEach(entry -> pages.add(entry.page())));
        pages.add(FILE);
        return pages;
    }
}
