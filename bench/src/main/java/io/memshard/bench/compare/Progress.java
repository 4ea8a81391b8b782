// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.result.Condition;
import io.memshard.bench.result.SliceResult;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the person at the terminal how far it is: one line that is written over where there is a
 * terminal, one line a slice where there is none.
 *
 * <p>Threading: confined to one thread.
 */
final class Progress {

    private static final String ERASE_LINE = "\r\033[K";

    private final PrintWriter out;
    private final boolean terminal;
    private final int slices;
    private final Set<String> told = new HashSet<>();
    private int done;

    /** @param slices how many there will be */
    Progress(PrintWriter out, boolean terminal, int slices) {
        this.out = out;
        this.terminal = terminal;
        this.slices = slices;
    }

    void warmUp(Condition condition) {
        line(String.format(Locale.ROOT, "%s warm-up of %s", counter(), condition.title()));
    }

    /** @param failure an example of what went wrong in the slice, told once a contender; null if nothing did */
    void slice(SliceResult slice, @Nullable Throwable failure) {
        done++;
        line(String.format(
                Locale.ROOT,
                "%s %s, round %d: %-32s %,10.0f ops/s %8.1f us CPU/op",
                counter(),
                slice.condition().title(),
                slice.round(),
                slice.contender() + " (" + slice.connections() + ")",
                slice.operationsPerSecond(),
                slice.cpuMicrosPerOperation()));
        if (failure != null && told.add(slice.contender())) {
            keep(slice.contender() + " failed " + (slice.errors() + slice.timeouts()) + " calls, the first with "
                    + failure);
        } else if (slice.wrongValues() > 0 && told.add(slice.contender())) {
            keep(slice.contender() + " returned " + slice.wrongValues() + " wrong values");
        }
    }

    /** Leaves the terminal at the start of an empty line. */
    void end() {
        if (terminal) {
            out.print(ERASE_LINE);
            out.flush();
        }
    }

    private String counter() {
        return String.format(Locale.ROOT, "[%d/%d]", done, slices);
    }

    private void line(String text) {
        if (terminal) {
            out.print(ERASE_LINE + text);
        } else {
            out.println(text);
        }
        out.flush();
    }

    private void keep(String text) {
        out.println((terminal ? ERASE_LINE : "") + text);
        out.flush();
    }
}
