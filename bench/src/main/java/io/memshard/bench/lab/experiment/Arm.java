// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** System with its settings, not yet opened. An empty {@code variant} means the benchmarks' own libraries. */
public record Arm(String name, String variant, List<String> jvmFlags, Opener opener) {

    public Arm {
        jvmFlags = List.copyOf(jvmFlags);
    }

    public static Arm of(String name, Opener opener) {
        return new Arm(name, "", List.of(), opener);
    }

    @FunctionalInterface
    public interface Opener {
        /** Opens the system with all connections and data that {@link Setup#condition()} requires. */
        OpenedArm open(Setup setup) throws Exception;
    }

    /** Environment of an arm. The {@code server} has no items, and is null if the arm needs no server. */
    public record Setup(
            Condition condition, Profile profile, @Nullable InetSocketAddress server) {}
}
