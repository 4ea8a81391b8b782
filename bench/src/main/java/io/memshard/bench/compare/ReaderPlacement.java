// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import java.util.Locale;

/** Processor of a thread that reads replies, relative to that of the server's thread that writes them. */
enum ReaderPlacement {
    /** Any processor: the kernel chooses. */
    FREE,

    /** The processor of the server's thread. */
    BESIDE,

    /** Another processor than that of the server's thread. */
    AWAY;

    /** Returns the suffix of the names of participants; empty for {@link #FREE}. */
    String suffix() {
        return this == FREE ? "" : ":" + name().toLowerCase(Locale.ROOT);
    }
}
