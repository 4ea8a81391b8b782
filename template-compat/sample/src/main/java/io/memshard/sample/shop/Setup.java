// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a person chooses on the page.
 *
 * @param engine below the template
 * @param mode how callers share its connections
 * @param threads how many callers there are, 0 to {@link #MOST_THREADS}
 * @param virtual whether they are virtual threads
 * @param recordsWaits whether the Flight Recorder writes their waits down, which costs throughput
 */
public record Setup(Engine engine, Mode mode, int threads, boolean virtual, boolean recordsWaits) {

    /** The most callers. */
    public static final int MOST_THREADS = 512;

    private static final int VIRTUAL_FROM = 21;

    /** Checks it. */
    public Setup {
        Objects.requireNonNull(engine, "engine is missing: MEMSHARD or SPYMEMCACHED");
        Objects.requireNonNull(mode, "mode is missing: POOLED, SINGLE or SHARDED");
        if (threads < 0 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("threads must be 0 to " + MOST_THREADS + ", was " + threads);
        }
        String reason = whyNotVirtual();
        if (virtual && reason != null) {
            throw new IllegalArgumentException(reason);
        }
    }

    /** Why there are no virtual threads here; null if there are. */
    public static @Nullable String whyNotVirtual() {
        int java = Runtime.version().feature();
        return java >= VIRTUAL_FROM
                ? null
                : "Virtual threads need Java " + VIRTUAL_FROM + " or later; this is Java " + java + ".";
    }

    /** Whether the same connections serve both. */
    boolean hasConnectionsOf(Setup other) {
        return engine == other.engine && mode == other.mode;
    }
}
