// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of the pages lead somewhere, and some way leads from docs/README.md to each page. */
class LinksTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern EXAMPLE = Pattern.compile("(?ms)^(```|~~~).*?^\\1");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*?)#*$");
    private static final Pattern LABEL = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    @Test
    void eachLinkLeadsToAFileOrAHeading() throws IOException {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            Matcher link = LINK.matcher(EXAMPLE.matcher(Files.readString(page)).replaceAll(""));
            while (link.find()) {
                String[] target = link.group(1).split("#", 2);
                if (target[0].contains(":")) {
                    continue;
                }
                links++;
                Path file = target[0].isEmpty()
                        ? page
                        : page.resolveSibling(target[0]).normalize();
                boolean isDead = !Files.exists(file)
                        || target.length == 2
                                && file.toString().endsWith(".md")
                                && !anchors(file).contains(target[1]);
                if (isDead) {
                    dead.add(ROOT.relativize(page) + ": " + link.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(links).isGreaterThan(300);
    }

    @Test
    void thereIsAWayFromTheContentsToEachPage() throws IOException {
        Deque<Path> left = new ArrayDeque<>(List.of(ROOT.resolve("docs/README.md")));
        Set<Path> reached = new HashSet<>(left);
        while (!left.isEmpty()) {
            Path page = left.remove();
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(link ->
                            page.resolveSibling(link.group(1).split("#", 2)[0]).normalize())
                    .filter(target -> target.toString().endsWith(".md") && Files.exists(target))
                    .filter(reached::add)
                    .forEach(left::add);
        }

        assertThat(pages())
                .filteredOn(page -> page.startsWith(ROOT.resolve("docs")) && !page.endsWith("0000-template.md"))
                .hasSizeGreaterThan(20)
                .isSubsetOf(reached);
    }

    /** Returns the anchors that GitHub gives the headings of a page. */
    private static Set<String> anchors(Path page) throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        Matcher heading =
                HEADING.matcher(EXAMPLE.matcher(Files.readString(page)).replaceAll(""));
        while (heading.find()) {
            String text = LABEL.matcher(heading.group(1)).replaceAll("$1").strip();
            String anchor = text.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int times = seen.merge(anchor, 1, Integer::sum);
            anchors.add(times == 1 ? anchor : anchor + '-' + (times - 1));
        }
        return anchors;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> Stream.of("target", "results", ".git", "node_modules")
                            .noneMatch(folder -> ROOT.relativize(file).startsWith(folder)
                                    || ROOT.relativize(file).toString().contains('/' + folder + '/')))
                    .sorted()
                    .toList();
        }
    }
}
