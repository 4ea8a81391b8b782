// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes XML that is well-formed: every element is closed, every text and attribute
 * escaped. No text reaches a page but through here.
 *
 * <p>Threading: confined to one thread. Failure: {@link IllegalStateException} on an element that is
 * closed and not open, or open at the end.
 */
public final class Markup {

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Starts an element.
     *
     * @param attributes name, value, name, value and so on; a number may stand for a value
     */
    public Markup open(String tag, Object... attributes) {
        startTag(tag, attributes);
        out.append('>');
        open.push(tag);
        return this;
    }

    /** Ends the innermost element, which must be {@code tag}. */
    public Markup close(String tag) {
        if (open.isEmpty() || !open.peek().equals(tag)) {
            throw new IllegalStateException("</" + tag + "> inside of " + open);
        }
        open.pop();
        out.append("</").append(tag).append(">\n");
        return this;
    }

    /** Returns an element without content. */
    public Markup empty(String tag, Object... attributes) {
        startTag(tag, attributes);
        out.append("></").append(tag).append(">\n");
        return this;
    }

    /** Returns an element with only text in it. */
    public Markup element(String tag, String text, Object... attributes) {
        return open(tag, attributes).text(text).close(tag);
    }

    /** Adds text, escaped. */
    public Markup text(String text) {
        escape(text);
        return this;
    }

    /** Adds what another writer made, as it is. */
    public Markup add(Markup other) {
        out.append(other);
        return this;
    }

    private void startTag(String tag, Object... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            Object value = attributes[i + 1];
            escape(value instanceof Double number ? Numbers.coordinate(number) : value.toString());
            out.append('"');
        }
    }

    private void escape(String text) {
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isCharacterOfXml(point) ? point : 0xFFFD);
            }
        });
    }

    /** Returns whether {@code point} is of the production Char of XML 1.0. */
    private static boolean isCharacterOfXml(int point) {
        return point == '\t'
                || point == '\n'
                || point == '\r'
                || (point >= 0x20 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || point >= 0x10000;
    }

    /** Returns what was written so far; every element must be closed. */
    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
        return out.toString();
    }
}
