// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.util.Objects;

/** Setup that a user chooses on the page. Engine spymemcached always uses only the first server. */
public record Setup(Engine engine, Mode mode, boolean firstServerOnly, int threads) {

    public static final int MAX_THREADS = 512;

    public Setup {
        Objects.requireNonNull(engine, "engine is null: use MEMSHARD or SPYMEMCACHED");
        Objects.requireNonNull(mode, "mode is null: use POOLED, SINGLE or SHARDED");
        if (threads < 0 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("threads is " + threads + ", but must be 0 to " + MAX_THREADS);
        }
    }

    Setup withConnections(Engine otherEngine, Mode otherMode, boolean otherFirstServerOnly) {
        return new Setup(otherEngine, otherMode, otherFirstServerOnly, threads);
    }

    boolean hasConnectionsOf(Setup other) {
        return engine == other.engine && mode == other.mode && usesFirstServerOnly() == other.usesFirstServerOnly();
    }

    boolean usesFirstServerOnly() {
        return firstServerOnly || engine == Engine.SPYMEMCACHED;
    }
}
