// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Numbers of processors in the form of the kernel and of {@code taskset}: {@code 0-3,8}. Threading: stateless. */
final class CpuList {

    private CpuList() {}

    /** The numbers of {@code text}, in its order; none of an empty text. */
    static List<Integer> parse(String text) {
        List<Integer> cpus = new ArrayList<>();
        for (String part : text.isBlank() ? new String[0] : text.strip().split(",", -1)) {
            int dash = part.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
            for (int cpu = first; cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    /** {@code cpus} with commas between. */
    static String text(List<Integer> cpus) {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
