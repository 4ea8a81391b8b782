// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static java.util.Map.entry;

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

    private static final String SOLID = "solid";
    private static final String DASHED = "dashed";
    private static final String DOTTED = "dotted";
    private static final String BLUE = "#0072b2";
    private static final String OCHRE = "#a67c00";

    private static final Map<String, SeriesStyle> KNOWN = Map.ofEntries(
            entry("template", new SeriesStyle("#d55e00", SOLID, Mark.SQUARE)),
            entry("connection", new SeriesStyle("#e69f00", SOLID, Mark.SQUARE)),
            entry("spymemcached-array-round-robin", new SeriesStyle(OCHRE, DASHED, Mark.SQUARE)),
            entry("spymemcached-array-thread-id", new SeriesStyle(OCHRE, DOTTED, Mark.SQUARE)),
            entry("spymemcached-bare", new SeriesStyle("#e69f00", DOTTED, Mark.SQUARE)),
            entry("spymemcached-optimized", new SeriesStyle("#e69f00", DASHED, Mark.SQUARE)),
            entry("memshard-classic", new SeriesStyle("#56b4e9", DASHED, Mark.CIRCLE)),
            entry("xmemcached-array", new SeriesStyle("#cc79a7", DASHED, Mark.TRIANGLE)),
            entry("xmemcached", new SeriesStyle("#cc79a7", SOLID, Mark.TRIANGLE)),
            entry("folsom", new SeriesStyle("#009e73", SOLID, Mark.TRIANGLE)),
            entry("socket-per-thread", new SeriesStyle("#6b7280", DASHED, Mark.TRIANGLE)),
            entry("memshard-single", new SeriesStyle("#56b4e9", SOLID, Mark.CIRCLE)),
            entry("memshard", new SeriesStyle(BLUE, SOLID, Mark.CIRCLE)),
            entry("memshard-sticky", new SeriesStyle(BLUE, SOLID, Mark.CIRCLE)),
            entry("memshard-round-robin", new SeriesStyle(BLUE, DOTTED, Mark.CIRCLE)),
            entry("memshard-thread-id", new SeriesStyle(BLUE, DASHED, Mark.CIRCLE)),
            entry("memshard-mixed-thread-id", new SeriesStyle(BLUE, DOTTED, Mark.CIRCLE)),
            entry("memshard-least-in-flight", new SeriesStyle("#00497a", DASHED, Mark.CIRCLE)));

    private static final List<String> COLOURS =
            List.of(BLUE, "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7280");
    private static final List<String> DASHES = List.of(SOLID, DASHED, DOTTED);

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
