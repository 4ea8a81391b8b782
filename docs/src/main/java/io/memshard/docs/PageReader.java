// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import io.memshard.docs.Page.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Reader that converts a Markdown file to a {@link Page}. Links between pages lead to HTML, links to other files to the
 * repository.
 *
 * <p>Threading: confined to one thread.
 */
final class PageReader {

    /** Address of the repository, with a slash at its end. */
    static final String REPOSITORY = "https://github.com/memshard/memshard/";

    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

    private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
    private final Path root;
    private final Set<Path> pages;
    private final List<String> problems;

    /**
     * Creates a reader.
     *
     * @param root the repository
     * @param pages the Markdown files of the site, relative to the repository
     * @param problems list to which dead links are added
     */
    PageReader(Path root, Set<Path> pages, List<String> problems) {
        this.root = root;
        this.pages = pages;
        this.problems = problems;
    }

    Page read(Path path) throws IOException {
        Node document = parser.parse(Files.readString(root.resolve(path)));
        Links links = new Links(path);
        document.accept(links);
        Sections sections = new Sections();
        document.accept(sections);
        sections.endSection();
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    String anchor = sections.anchors.get(node);
                    if (anchor != null) {
                        attributes.put("id", anchor);
                    }
                })
                .build();
        if (sections.headings.isEmpty()) {
            throw new SiteException(List.of(path + " has no heading"));
        }
        return new Page(
                path,
                sections.headings.get(0).title(),
                inBoxes(renderer.render(document)),
                sections.headings,
                Set.copyOf(sections.anchors.values()),
                links.references,
                links.images);
    }

    /** Puts each table into a box, in which a wide table scrolls. */
    private static String inBoxes(String html) {
        return html.replace("<table>", "<div class=\"table\">\n<table>").replace("</table>", "</table>\n</div>");
    }

    /** Visitor that rewrites the links of a page for the site. */
    private final class Links extends AbstractVisitor {

        private final Path page;
        private final List<Reference> references = new ArrayList<>();
        private final Set<Path> images = new LinkedHashSet<>();

        Links(Path page) {
            this.page = page;
        }

        @Override
        public void visit(Link link) {
            link.setDestination(destination(link.getDestination(), false));
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            image.setDestination(destination(image.getDestination(), true));
        }

        private String destination(String written, boolean isImage) {
            if (written.matches("[a-z]+:.*")) {
                return written;
            }
            int hash = written.indexOf('#');
            String file = hash < 0 ? written : written.substring(0, hash);
            String anchor = hash < 0 ? "" : written.substring(hash + 1);
            Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
            if (target.startsWith("..") || !Files.exists(root.resolve(target))) {
                problems.add(page + ": " + written + " leads nowhere");
                return written;
            }
            if (pages.contains(target)) {
                references.add(new Reference(target, anchor, written));
                String html = file.isEmpty()
                        ? ""
                        : file.replaceAll(
                                "[^/]+$", Page.html(target).getFileName().toString());
                return anchor.isEmpty() ? html : html + '#' + anchor;
            }
            if (isImage) {
                images.add(target);
                return written;
            }
            String kind = Files.isDirectory(root.resolve(target)) ? "tree/main/" : "blob/main/";
            return REPOSITORY + kind + target + (anchor.isEmpty() ? "" : '#' + anchor);
        }
    }

    /** Visitor that collects the headings of a page and the text below each. */
    private static final class Sections extends AbstractVisitor {

        private final IdentityHashMap<Node, String> anchors = new IdentityHashMap<>();
        private final List<Heading> headings = new ArrayList<>();
        private final Set<String> taken = new HashSet<>();
        private final StringBuilder text = new StringBuilder();

        private int level;
        private String anchor = "";
        private String title = "";

        @Override
        public void visit(org.commonmark.node.Heading heading) {
            endSection();
            visitChildren(heading);
            level = heading.getLevel();
            title = takeText();
            anchor = freeAnchor(title);
            anchors.put(heading, anchor);
        }

        void endSection() {
            String below = takeText();
            if (level > 0) {
                headings.add(new Heading(level, anchor, title, below));
            }
        }

        private String takeText() {
            String taken = text.toString().replaceAll("\\s+", " ").strip();
            text.setLength(0);
            return taken;
        }

        /** Returns an anchor as GitHub names it, so that a link works on GitHub and on the site. */
        private String freeAnchor(String heading) {
            String name = heading.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            String free = name;
            for (int i = 1; !taken.add(free); i++) {
                free = name + '-' + i;
            }
            return free;
        }

        @Override
        public void visit(Text node) {
            text.append(node.getLiteral());
        }

        @Override
        public void visit(Code node) {
            text.append(node.getLiteral());
        }

        @Override
        public void visit(FencedCodeBlock node) {
            text.append(' ').append(node.getLiteral()).append(' ');
        }

        @Override
        public void visit(SoftLineBreak node) {
            text.append(' ');
        }

        @Override
        public void visit(CustomNode node) {
            visitChildren(node);
            if (node instanceof TableCell) {
                text.append(' ');
            }
        }

        @Override
        protected void visitChildren(Node parent) {
            super.visitChildren(parent);
            if (parent instanceof org.commonmark.node.Block) {
                text.append(' ');
            }
        }
    }
}
