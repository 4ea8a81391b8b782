// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import java.util.Locale;

/** Processor on which a thread that reads replies runs, seen from the thread of the server that writes them. */
enum ReaderPlacement {
    /** The kernel chooses. */
    FREE,

    /** On the same processor as the server's thread. */
    BESIDE,

    /** On another one. */
    AWAY;

    /** Returns what the names of participants end with. */
    String suffix() {
        return this == FREE ? "" : ":" + name().toLowerCase(Locale.ROOT);
    }
}
