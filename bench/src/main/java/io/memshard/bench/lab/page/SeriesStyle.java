// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Style of a contender. Colour-blind readers can distinguish the colours, which are those of Okabe and Ito. */
record SeriesStyle(String colour, String dash, double shape) {

    private static final Map<String, SeriesStyle> KNOWN = """
            template #d55e00 solid 15
            connection #e69f00 solid 15
            spymemcached-array-round-robin #a67c00 dashed 15
            spymemcached-array-thread-id #a67c00 dotted 15
            spymemcached-bare #e69f00 dotted 15
            spymemcached-optimized #e69f00 dashed 15
            memshard-classic #56b4e9 dashed 16
            xmemcached-array #cc79a7 dashed 17
            xmemcached #cc79a7 solid 17
            folsom #009e73 solid 17
            socket-per-thread #6b7280 dashed 17
            memshard-single #56b4e9 solid 16
            memshard #0072b2 solid 16
            memshard-sticky #0072b2 solid 16
            memshard-round-robin #0072b2 dotted 16
            memshard-thread-id #0072b2 dashed 16
            """.lines().map(line -> line.split(" ", -1)).collect(
            Collectors.toMap(
                    words -> words[0], words -> new SeriesStyle(words[1], words[2], Double.parseDouble(words[3]))));

    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7280");

    static Map<String, SeriesStyle> of(Collection<String> contenders) {
        Deque<SeriesStyle> free = new ArrayDeque<>();
        for (double shape : new double[] {16, 15, 17}) {
            for (String dash : List.of("solid", "dashed", "dotted")) {
                COLOURS.forEach(colour -> free.add(new SeriesStyle(colour, dash, shape)));
            }
        }
        free.removeAll(KNOWN.values());
        Map<String, SeriesStyle> styles = new LinkedHashMap<>();
        contenders.forEach(name -> styles.put(name, Objects.requireNonNullElseGet(KNOWN.get(name), free::removeFirst)));
        return styles;
    }
}
