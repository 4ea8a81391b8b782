// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Style in which a contender is drawn, the same in every chart. Families of contenders differ by colour; members of a
 * family differ by dash, mark and shade. The colours are those of Okabe and Ito, which colour-blind readers can
 * distinguish. Threading: immutable.
 *
 * @param colour colour of lines and marks, such as {@code #0072b2}
 * @param dash name of the line type in Lets-Plot
 * @param mark shape of a point
 */
public record SeriesStyle(String colour, String dash, Mark mark) {

    /** Shape of a point. */
    public enum Mark {
        CIRCLE(16),
        SQUARE(15),
        TRIANGLE(17);

        final double number;

        Mark(double number) {
            this.number = number;
        }
    }

    private static final Map<String, SeriesStyle> KNOWN = """
            template #d55e00 solid SQUARE
            connection #e69f00 solid SQUARE
            spymemcached-array-round-robin #a67c00 dashed SQUARE
            spymemcached-array-thread-id #a67c00 dotted SQUARE
            spymemcached-bare #e69f00 dotted SQUARE
            spymemcached-optimized #e69f00 dashed SQUARE
            memshard-classic #56b4e9 dashed CIRCLE
            xmemcached-array #cc79a7 dashed TRIANGLE
            xmemcached #cc79a7 solid TRIANGLE
            folsom #009e73 solid TRIANGLE
            socket-per-thread #6b7280 dashed TRIANGLE
            memshard-single #56b4e9 solid CIRCLE
            memshard #0072b2 solid CIRCLE
            memshard-sticky #0072b2 solid CIRCLE
            memshard-round-robin #0072b2 dotted CIRCLE
            memshard-thread-id #0072b2 dashed CIRCLE
            """.lines().map(line -> line.split(" ", -1)).collect(
            Collectors.toMap(words -> words[0], words -> new SeriesStyle(words[1], words[2], Mark.valueOf(words[3]))));

    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7280");
    private static final List<String> DASHES = List.of("solid", "dashed", "dotted");

    /**
     * Returns the styles of {@code contenders}, in their order. An unknown contender gets a style that no other
     * contender has.
     */
    public static Map<String, SeriesStyle> of(Collection<String> contenders) {
        Map<String, SeriesStyle> styles = new LinkedHashMap<>();
        Set<String> taken = KNOWN.entrySet().stream()
                .filter(known -> contenders.contains(known.getKey()))
                .map(known -> known.getValue().colour())
                .collect(Collectors.toSet());
        Deque<SeriesStyle> free = new ArrayDeque<>();
        for (Mark mark : Mark.values()) {
            DASHES.forEach(dash -> COLOURS.forEach(colour -> free.add(new SeriesStyle(colour, dash, mark))));
        }
        free.removeIf(style -> taken.contains(style.colour()) && taken.size() < COLOURS.size());
        for (String name : contenders) {
            SeriesStyle known = KNOWN.get(name);
            styles.put(name, known == null ? free.removeFirst() : known);
        }
        return styles;
    }
}
