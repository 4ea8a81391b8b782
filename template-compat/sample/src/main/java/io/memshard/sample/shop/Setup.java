// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Setup that a user chooses on the page.
 *
 * @param engine engine of the template
 * @param mode mode in which callers share the template's connections
 * @param firstServerOnly whether the template uses only the first server, as it always does with engine spymemcached
 * @param threads number of callers, 0 to {@link #MAX_THREADS}
 * @param virtual whether the callers are virtual threads
 * @param recordsWaits whether the Flight Recorder records the callers' waits, which costs throughput
 */
public record Setup(
        Engine engine, Mode mode, boolean firstServerOnly, int threads, boolean virtual, boolean recordsWaits) {

    /** Largest number of callers. */
    public static final int MAX_THREADS = 512;

    private static final int VIRTUAL_FROM = 21;

    /** Checks the setup. */
    public Setup {
        Objects.requireNonNull(engine, "engine is missing: MEMSHARD or SPYMEMCACHED");
        Objects.requireNonNull(mode, "mode is missing: POOLED, SINGLE or SHARDED");
        if (threads < 0 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("threads must be 0 to " + MAX_THREADS + ", was " + threads);
        }
        String reason = whyNotVirtual();
        if (virtual && reason != null) {
            throw new IllegalArgumentException(reason);
        }
    }

    /** Returns the reason why virtual threads are unavailable here; null if they are available. */
    public static @Nullable String whyNotVirtual() {
        int java = Runtime.version().feature();
        return java >= VIRTUAL_FROM
                ? null
                : "Virtual threads need Java " + VIRTUAL_FROM + " or later; this is Java " + java + ".";
    }

    /** Returns a setup with other connections and the same callers. */
    Setup withConnections(Engine otherEngine, Mode otherMode, boolean otherFirstServerOnly) {
        return new Setup(otherEngine, otherMode, otherFirstServerOnly, threads, virtual, recordsWaits);
    }

    /** Returns whether both setups use the same connections. */
    boolean hasConnectionsOf(Setup other) {
        return engine == other.engine && mode == other.mode && usesFirstServerOnly() == other.usesFirstServerOnly();
    }

    /** Returns whether the template uses only the first server. */
    boolean usesFirstServerOnly() {
        return firstServerOnly || engine == Engine.SPYMEMCACHED;
    }
}
