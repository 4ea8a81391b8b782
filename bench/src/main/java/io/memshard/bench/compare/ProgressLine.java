// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import java.io.PrintWriter;

/**
 * Shows the lines of the forks. On a terminal those with a counter are written over one another, elsewhere each has a
 * line of its own.
 *
 * <p>Threading: confined to one thread.
 */
final class ProgressLine {

    /** What a line begins with that is out of date when the next comes. */
    static final String COUNTER = "[";

    private static final String ERASE_LINE = "\r\033[K";

    private final PrintWriter out;
    private final boolean terminal;

    ProgressLine(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void show(String line) {
        if (!terminal) {
            out.println(line);
        } else if (line.startsWith(COUNTER)) {
            out.print(ERASE_LINE + line);
        } else {
            out.println(ERASE_LINE + line);
        }
        out.flush();
    }

    /** Leaves the terminal at the start of an empty line. */
    void end() {
        if (terminal) {
            out.print(ERASE_LINE);
            out.flush();
        }
    }
}
