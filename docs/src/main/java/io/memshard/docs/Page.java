// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Page of the site.
 *
 * @param path path of its Markdown, relative to the repository
 * @param title its first heading
 * @param body HTML
 * @param headings headings in their order
 * @param anchors ids of the headings
 * @param references links to pages
 * @param images image files of the page, relative to the repository
 */
record Page(
        Path path,
        String title,
        String body,
        List<Heading> headings,
        Set<String> anchors,
        List<Reference> references,
        Set<Path> images) {

    /** Link to a page of the site, or to an anchor of one; an empty anchor is the page itself. */
    record Reference(Path page, String anchor, String asWritten) {}

    /** Returns the HTML file of a Markdown file. A README becomes the index of its folder. */
    static Path html(Path markdown) {
        String name = markdown.getFileName().toString();
        return markdown.resolveSibling(name.equals("README.md") ? "index.html" : name.replace(".md", ".html"));
    }

    /** Returns a link from this page to another file of the site. */
    String linkTo(Path file) {
        Path folder = path.getParent();
        Path relative = folder == null ? file : folder.relativize(file);
        return relative.toString().replace('\\', '/');
    }
}
