// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import io.memshard.docs.Page.Reference;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Pages of the repository as HTML that needs no server and fetches nothing. Files keep their folders, so links between
 * them stay as written.
 *
 * <p>Threading: immutable.
 */
record Site(Path root, Contents contents, Map<Path, Page> pages) {

    /** Files that every page uses. */
    private static final List<String> ASSETS = List.of("site.css", "site.js");

    /** File that is a template to copy, not a page. */
    private static final String TEMPLATE = "0000-template.md";

    /**
     * Reads all pages.
     *
     * @param folder the repository
     * @throws SiteException with every dead link and anchor, and every page that is not in the table of contents
     */
    static Site of(Path folder) throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        Contents contents = Contents.read(root);
        List<String> problems = new ArrayList<>(missingPages(contents, root));
        PageReader reader = new PageReader(root, contents.pages(), problems);
        Map<Path, Page> pages = new LinkedHashMap<>();
        for (Path path : contents.pages()) {
            if (Files.exists(root.resolve(path))) {
                pages.put(path, reader.read(path));
            }
        }
        for (Page page : pages.values()) {
            for (Reference reference : page.references()) {
                Page target = pages.get(reference.page());
                if (target != null
                        && !reference.anchor().isEmpty()
                        && !target.anchors().contains(reference.anchor())) {
                    problems.add(page.path() + ": " + reference.asWritten() + " leads to no heading");
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new SiteException(problems);
        }
        return new Site(root, contents, pages);
    }

    private static List<String> missingPages(Contents contents, Path root) throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path folder : List.of(Path.of("docs"), Path.of("docs", "adr"), Path.of("docs", "migrating"))) {
            if (!Files.isDirectory(root.resolve(folder))) {
                continue;
            }
            try (Stream<Path> files = Files.list(root.resolve(folder))) {
                files.map(root::relativize)
                        .filter(file -> file.toString().endsWith(".md") && !file.endsWith(TEMPLATE))
                        .filter(file -> !contents.pages().contains(file))
                        .sorted()
                        .forEach(file -> missing.add(file + " is not in " + Contents.FILE));
            }
        }
        return missing;
    }

    /** Writes all files and returns the number of pages. */
    int writeTo(Path folder) throws IOException {
        Javadoc javadoc = Javadoc.of(root);
        javadoc.copyTo(folder);
        for (Page page : pages.values()) {
            write(folder.resolve(Page.html(page.path())), new PageLayout(contents, javadoc).html(page));
            for (Path image : page.images()) {
                Path copy = folder.resolve(image);
                Files.createDirectories(copy.getParent());
                Files.copy(root.resolve(image), copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (String asset : ASSETS) {
            try (InputStream in = Objects.requireNonNull(Site.class.getResourceAsStream(asset), asset)) {
                Files.copy(in, folder.resolve(asset), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        write(folder.resolve("search-index.js"), SearchIndex.script(pages.values()));
        return pages.size();
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
