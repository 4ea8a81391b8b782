// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.util.Collection;
import java.util.StringJoiner;

/** Search index as a script, because a page opened from a disk cannot read other files. */
final class SearchIndex {

    private SearchIndex() {}

    /** Returns an array of sections, each as address, title of the page, heading and text. */
    static String script(Collection<Page> pages) {
        StringJoiner sections = new StringJoiner(",\n", "const SECTIONS = [\n", "\n];\n");
        for (Page page : pages) {
            String file = Page.html(page.path()).toString().replace('\\', '/');
            for (Heading heading : page.headings()) {
                String address = heading.level() == 1 ? file : file + '#' + heading.anchor();
                sections.add('['
                        + quoted(address)
                        + ','
                        + quoted(page.title())
                        + ','
                        + quoted(heading.title())
                        + ','
                        + quoted(heading.text())
                        + ']');
            }
        }
        return sections.toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c == '\u2028' || c == '\u2029') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
