// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import io.memshard.docs.Contents.Entry;
import io.memshard.docs.Contents.Section;
import java.nio.file.Path;
import java.util.List;

/**
 * Layout around the text of a page: navigation, search box, and the links to the previous and next pages. The
 * navigation shows the entries of the page's section only, until a reader opens another.
 */
record PageLayout(Contents contents, Javadoc javadoc) {

    private static final Path START = Path.of("README.md");

    String html(Page page) {
        String root = page.linkTo(Path.of("site.css")).replace("site.css", "");
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%1$s</title>
                <link rel="stylesheet" href="%2$ssite.css">
                <script defer src="%2$ssearch-index.js"></script>
                <script defer src="%2$ssite.js" data-root="%2$s"></script>
                </head>
                <body>
                <a class="skip" href="#text">Skip to the text</a>
                <header>
                <a class="home" href="%3$s">Memshard</a>
                <input id="query" type="search" placeholder="Search" aria-label="Search" title="Key: /"
                 aria-keyshortcuts="/" autocomplete="off">
                <button id="menu" aria-expanded="false" aria-controls="contents">Contents</button>
                <ol id="found" hidden></ol>
                </header>
                <div class="columns">
                <nav id="contents" aria-label="Contents">
                %4$s</nav>
                <main id="text">
                %5$s%6$s<p class="source"><a href="%7$s">Source of this page</a></p>
                </main>
                </div>
                </body>
                </html>
                """.formatted(
                page.path().equals(START)
                        ? "Memshard: a memcached client for the JVM"
                        : escaped(page.title()) + " - Memshard",
                root,
                page.linkTo(Page.html(START)),
                navigation(page),
                javadoc.linked(page),
                neighbours(page),
                PageReader.REPOSITORY + "blob/main/" + page.path().toString().replace('\\', '/'));
    }

    private String navigation(Page page) {
        StringBuilder html = new StringBuilder();
        for (Section section : contents.sections()) {
            boolean isOpen =
                    section.entries().stream().anyMatch(entry -> entry.page().equals(page.path()));
            html.append(isOpen ? "<details open>" : "<details>")
                    .append("<summary><h2>")
                    .append(escaped(section.title()))
                    .append("</h2></summary>\n<ul>\n");
            for (Entry entry : section.entries()) {
                boolean isHere = entry.page().equals(page.path());
                html.append("<li>").append(link(page, entry, isHere ? " aria-current=\"page\"" : ""));
                if (isHere) {
                    html.append(headings(page));
                }
                html.append("</li>\n");
            }
            html.append("</ul>\n</details>\n");
        }
        return html.toString();
    }

    private static String link(Page from, Entry to, String attributes) {
        return "<a" + attributes + " href=\"" + from.linkTo(Page.html(to.page())) + "\">" + escaped(to.name()) + "</a>";
    }

    private static String headings(Page page) {
        StringBuilder html = new StringBuilder();
        for (Heading heading : page.headings()) {
            if (heading.level() == 2) {
                html.append("<li><a href=\"#")
                        .append(heading.anchor())
                        .append("\">")
                        .append(escaped(heading.title()))
                        .append("</a></li>");
            }
        }
        return html.isEmpty() ? "" : "\n<ul>" + html + "</ul>";
    }

    private String neighbours(Page page) {
        List<Entry> all = contents.sections().stream()
                .flatMap(section -> section.entries().stream())
                .toList();
        List<Path> order = all.stream().map(Entry::page).toList();
        int here = order.indexOf(page.path());
        if (here < 0) {
            return "";
        }
        String before = here == 0 ? "" : link(page, all.get(here - 1), " rel=\"prev\"");
        String after = here == all.size() - 1 ? "" : link(page, all.get(here + 1), " rel=\"next\"");
        return "<p class=\"neighbours\">" + before + after + "</p>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
