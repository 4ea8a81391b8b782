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
 * Says in a fork how far it is: a line a slice. {@link ProgressLine} shows them to a person.
 *
 * <p>Threading: confined to one thread.
 */
final class Progress {

    private final PrintWriter out;
    private final int slices;
    private final Set<String> told = new HashSet<>();
    private int done;

    /**
     * Progress of one fork.
     *
     * @param done how many slices the forks before had
     * @param slices how many there will be of all forks
     */
    Progress(PrintWriter out, int done, int slices) {
        this.out = out;
        this.done = done;
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
            line(slice.contender() + " failed " + (slice.errors() + slice.timeouts()) + " calls, the first with "
                    + failure);
        } else if (slice.wrongValues() > 0 && told.add(slice.contender())) {
            line(slice.contender() + " returned " + slice.wrongValues() + " wrong values");
        }
    }

    private String counter() {
        return String.format(Locale.ROOT, "%s%d/%d]", ProgressLine.COUNTER, done, slices);
    }

    private void line(String text) {
        out.println(text);
        out.flush();
    }
}
