// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.result.Picture;
import io.memshard.bench.result.TextFile;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public final class HtmlReport {

    public static final String NAME = "report.html";
    private static final Pattern BOLD = Pattern.compile("\\*\\*(.+?)\\*\\*");
    private static final Pattern CODE = Pattern.compile("`(.+?)`");

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
            .number { text-align: right; font-variant-numeric: tabular-nums; }
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
            // An empty line separates blocks: each is a table, a list, or headings and paragraphs.
            Stream.of(section.markdown.split("\n\n+", -1))
                    .filter(block -> !block.isBlank())
                    .forEach(block -> page.append(html(block.strip().lines().toList())));
            page.append("</section>\n");
        }
        Path file = folder.resolve(NAME);
        TextFile.write(file, page.append("</body>\n</html>\n").toString());
        return file;
    }

    private static String html(List<String> block) {
        if (block.get(0).startsWith("|")) {
            return table(block);
        }
        if (block.stream().allMatch(line -> line.startsWith("- "))) {
            return block.stream()
                    .map(line -> "<li>" + inline(line.substring(2)) + "</li>\n")
                    .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
        }
        return block.stream()
                .map(line -> line.startsWith("## ")
                        ? "<h3>" + inline(line.substring(3)) + "</h3>\n"
                        : "<p>" + inline(line) + "</p>\n")
                .collect(Collectors.joining());
    }

    private static String table(List<String> lines) {
        List<String> rules = cells(lines.get(1));
        StringBuilder table = new StringBuilder("<table>\n");
        for (int i = 0; i < lines.size(); i++) {
            if (i != 1) {
                List<String> cells = cells(lines.get(i));
                String tag = i == 0 ? "th" : "td";
                table.append("<tr>");
                for (int column = 0; column < cells.size(); column++) {
                    table.append('<').append(tag).append(rules.get(column).endsWith(":") ? " class=\"number\">" : ">");
                    table.append(inline(cells.get(column)))
                            .append("</")
                            .append(tag)
                            .append('>');
                }
                table.append("</tr>\n");
            }
        }
        return table.append("</table>\n").toString();
    }

    private static List<String> cells(String line) {
        String inner = line.substring(1, line.lastIndexOf('|'));
        return Stream.of(inner.split("\\|", -1)).map(String::strip).toList();
    }

    private static String inline(String text) {
        String bold = BOLD.matcher(PlotSvg.escaped(text)).replaceAll("<b>$1</b>");
        return CODE.matcher(bold).replaceAll("<code>$1</code>");
    }
}
