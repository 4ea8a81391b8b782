// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.serializer;

import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Value of the kind that applications cache: an order with its lines and some attributes.
 *
 * <p>Threading: not changed after it is made.
 */
public record SampleOrder(
        long id, String customer, Instant created, boolean paid, List<Line> lines, Map<String, String> attributes)
        implements Serializable {

    private static final long serialVersionUID = 1;

    /** Line of an order: an article with its quantity and price. */
    public record Line(String article, String title, int quantity, long cents) implements Serializable {

        private static final long serialVersionUID = 1;
    }

    /** Returns an order with {@code lines} lines, the same at each call. */
    public static SampleOrder of(int lines) {
        List<Line> all = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            all.add(new Line("SKU-" + (10_000 + i), "Article number " + i, 1 + i % 5, 1_999L + i));
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("channel", "web");
        attributes.put("country", "NL");
        attributes.put("currency", "EUR");
        return new SampleOrder(
                4_711_000_042L, "Ada Lovelace", Instant.ofEpochSecond(1_795_000_000L), true, all, attributes);
    }
}
