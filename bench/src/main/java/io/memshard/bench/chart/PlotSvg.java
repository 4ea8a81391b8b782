// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static java.util.Map.entry;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * SVG text of a Lets-Plot drawing, the same for the same data. Lets-Plot generates new ids for each drawing and writes
 * coordinates with all digits. This class removes the ids and the references to them, and rounds the coordinates.
 *
 * <p>Colours and sizes are attributes of the elements, because many viewers ignore style sheets. If the reader prefers
 * dark pages, a style sheet replaces the colours that are hard to read on a dark background. Browsers and GitHub apply
 * that style sheet to an image.
 *
 * <p>Threading: stateless.
 */
final class PlotSvg {

    static final double TEXT_PX = 12;

    private static final String FONT = "system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif";

    /** Colours on a dark background by the colours on white. All other colours are readable on both. */
    private static final Map<String, String> DARK = new TreeMap<>(Map.ofEntries(
            entry(Plot.INK, "#dfe3e8"),
            entry(Plot.PALE_INK, "#9198a1"),
            entry(Plot.PAPER, "#12161c"),
            entry(Plot.GRID, "#2b323b"),
            entry("#0072b2", "#3d9bd6"),
            entry("#00497a", "#7db7e0"),
            entry("#000000", "#dfe3e8"),
            entry("#6b7280", "#9aa3ad")));

    /** Colours of text by the class that Lets-Plot gives it. */
    private static final Map<String, String> TEXTS = Map.ofEntries(
            entry("axis-text-x", Plot.PALE_INK),
            entry("axis-text-y", Plot.INK),
            entry("axis-title-x", Plot.PALE_INK),
            entry("axis-title-y", Plot.PALE_INK),
            entry("facet-strip-text-x", Plot.INK),
            entry("legend-item", Plot.INK),
            entry("legend-title", Plot.PALE_INK));

    /**
     * Attributes that only Lets-Plot reads, or that refer to ids. Clipping is not needed, because all data lie within
     * their panels.
     */
    private static final Set<String> DROPPED =
            Set.of("id", "class", "style", "clip-path", "clip-bounds-jfx", "xmlns:xlink", "buffered-rendering");

    /** Values of attributes that are the defaults of SVG. */
    private static final Map<String, String> DEFAULTS =
            Map.of("fill-opacity", "1", "stroke-opacity", "1", "fill-rule", "evenodd", "y", "0");

    private static final Pattern NUMBER = Pattern.compile("-?\\d+\\.\\d+(?:E-?\\d+)?");
    private static final Pattern RGB = Pattern.compile("rgb\\((\\d+),(\\d+),(\\d+)\\)");
    private static final Pattern STYLE = Pattern.compile("fill:(#[0-9a-f]{6});(?:.*)font-size:(\\d+)");

    private PlotSvg() {}

    static String of(String raw, Frame frame) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(raw)));
            Element svg = document.getDocumentElement();
            clean(svg);
            head(svg, "desc", frame.finding());
            head(svg, "title", frame.title());
            svg.setAttribute("role", "img");
            svg.setAttribute("font-family", FONT);
            svg.setAttribute("viewBox", "0 0 " + svg.getAttribute("width") + " " + svg.getAttribute("height"));
            Transformer transformer = TransformerFactory.newInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            StringWriter out = new StringWriter();
            transformer.transform(new DOMSource(svg), new StreamResult(out));
            String text = out.toString().replace("><", ">\n<") + "\n";
            return text.replaceFirst("</desc>", "</desc>\n<style>" + darkStyle(text) + "</style>");
        } catch (ParserConfigurationException | SAXException | IOException | TransformerException e) {
            throw new IllegalStateException("Lets-Plot drew no SVG: " + e.getMessage(), e);
        }
    }

    private static void head(Element svg, String name, String text) {
        Element element = svg.getOwnerDocument().createElementNS(svg.getNamespaceURI(), name);
        element.setTextContent(text);
        svg.insertBefore(element, svg.getFirstChild());
    }

    /** Returns the style sheet for dark pages, with rules for the colours in {@code text}. */
    private static String darkStyle(String text) {
        StringBuilder rules = new StringBuilder("@media (prefers-color-scheme: dark) {");
        DARK.forEach((light, dark) -> {
            for (String property : List.of("fill", "stroke")) {
                if (text.contains(property + "=\"" + light + "\"")) {
                    rules.append(" [%1$s=\"%2$s\"] { %1$s: %3$s }".formatted(property, light, dark));
                }
            }
        });
        return rules.append(" }").toString();
    }

    private static void clean(Element element) {
        if (element.getTagName().equals("text")) {
            look(element);
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            names.add(element.getAttributes().item(i).getNodeName());
        }
        for (String name : names) {
            String value = rounded(element.getAttribute(name));
            if (DROPPED.contains(name) || value.equals(DEFAULTS.get(name)) || value.startsWith("rotate(0 ")) {
                element.removeAttribute(name);
            } else {
                element.setAttribute(name, value);
            }
        }
        if (element.getAttribute("stroke-width").equals("0")) {
            List.of("stroke", "stroke-opacity", "stroke-width").forEach(element::removeAttribute);
        }
        for (Node child = element.getFirstChild(); child != null; ) {
            Node next = child.getNextSibling();
            if (child instanceof Text text) {
                text.setData(text.getData().strip());
            } else if (child instanceof Element inner) {
                clean(inner);
                if (isNothing(inner)) {
                    element.removeChild(inner);
                } else if (inner.getTagName().equals("g")
                        && inner.getAttributes().getLength() == 0) {
                    unwrap(inner);
                }
            }
            child = next;
        }
    }

    private static void unwrap(Element group) {
        while (group.getFirstChild() != null) {
            group.getParentNode().insertBefore(group.getFirstChild(), group);
        }
        group.getParentNode().removeChild(group);
    }

    private static boolean isNothing(Element element) {
        String tag = element.getTagName();
        boolean isEmptyGroup = Set.of("g", "svg").contains(tag)
                && element.getElementsByTagName("*").getLength() == 0;
        return isEmptyGroup || Set.of("style", "defs", "clipPath").contains(tag);
    }

    /** Sets the colour and size of a text element as attributes, from its style or else from its class. */
    private static void look(Element text) {
        var style = STYLE.matcher(text.getAttribute("style"));
        boolean own = style.find();
        text.setAttribute("fill", own ? style.group(1) : TEXTS.getOrDefault(text.getAttribute("class"), Plot.INK));
        text.setAttribute("font-size", own ? style.group(2) : Numbers.coordinate(TEXT_PX));
        text.removeAttribute("fill-opacity");
    }

    private static String rounded(String value) {
        String hex = RGB.matcher(value)
                .replaceAll(rgb -> "#%02x%02x%02x"
                        .formatted(
                                Integer.parseInt(rgb.group(1)),
                                Integer.parseInt(rgb.group(2)),
                                Integer.parseInt(rgb.group(3))));
        return NUMBER.matcher(hex)
                .replaceAll(number -> Numbers.coordinate(Double.parseDouble(number.group())))
                .replace(" )", ")")
                .strip();
    }
}
