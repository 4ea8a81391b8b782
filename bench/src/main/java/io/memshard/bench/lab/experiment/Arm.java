// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * System with its settings, not yet opened. The {@code variant} is the id of a line of {@code variants.txt}. The jars
 * of this line come first on the fork's class path. If the variant is empty, the benchmarks' own libraries are used.
 */
public record Arm(String name, String variant, List<String> jvmFlags, Opener opener) {

    public Arm {
        jvmFlags = List.copyOf(jvmFlags);
    }

    public static Arm of(String name, Opener opener) {
        return new Arm(name, "", List.of(), opener);
    }

    @FunctionalInterface
    public interface Opener {
        /** Opens the system, ready for {@link Setup#condition()}: connected, filled, prewarmed. */
        OpenedArm open(Setup setup) throws Exception;
    }

    /**
     * Environment in which an arm is opened. The {@code server} has no items; it is null if the arm needs no server.
     */
    public record Setup(
            Condition condition, Profile profile, @Nullable InetSocketAddress server) {}
}
