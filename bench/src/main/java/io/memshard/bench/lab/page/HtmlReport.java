// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.result.Picture;
import io.memshard.bench.result.TextFile;
import java.nio.file.Path;
import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

public final class HtmlReport {

    public static final String NAME = "report.html";
    private static final List<Extension> TABLES = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(TABLES).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(TABLES).escapeHtml(true).build();

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>TITLE</title>
            <style>
            :root { color-scheme: light dark; }
            body { max-width: 1200px; margin: 0 auto; padding: 24px; font: 16px/1.5 system-ui, sans-serif; }
            svg { max-width: 100%; height: auto; }
            section { overflow-x: auto; }
            table { border-collapse: collapse; font-size: 14px; }
            th, td { padding: 4px 8px; border-bottom: 1px solid #8884; text-align: left; white-space: nowrap; }
            [align=right] { text-align: right; font-variant-numeric: tabular-nums; }
            </style>
            </head>
            <body>
            <h1>TITLE</h1>
            """;

    private HtmlReport() {}

    public record Section(String title, List<Picture> pictures, String markdown) {}

    public static Path write(Path folder, String title, List<Section> sections) {
        StringBuilder page = new StringBuilder(HEAD.replace("TITLE", PlotSvg.escaped(title)));
        for (Section section : sections) {
            page.append("<section>\n<h2>")
                    .append(PlotSvg.escaped(section.title))
                    .append("</h2>\n");
            section.pictures.forEach(picture -> page.append("<figure>\n")
                    .append(picture.svg())
                    .append("<figcaption>")
                    .append(PlotSvg.escaped(picture.finding()))
                    .append("</figcaption>\n</figure>\n"));
            page.append(html(section.markdown));
            page.append("</section>\n");
        }
        Path file = folder.resolve(NAME);
        TextFile.write(file, page.append("</body>\n</html>\n").toString());
        return file;
    }

    private static String html(String markdown) {
        return RENDERER.render(PARSER.parse(markdown)).replace("h2>", "h3>");
    }
}
