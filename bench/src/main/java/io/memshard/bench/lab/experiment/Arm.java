// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.net.InetSocketAddress;
import java.util.List;

/** System under test with its settings. Without a {@code variant}, the system uses the libraries of the benchmarks. */
public record Arm(String name, String variant, List<String> jvmFlags, Opener opener) {

    public Arm {
        jvmFlags = List.copyOf(jvmFlags);
    }

    public static Arm of(String name, Opener opener) {
        return new Arm(name, "", List.of(), opener);
    }

    @FunctionalInterface
    public interface Opener {
        OpenedArm open(Setup setup) throws Exception;
    }

    public record Setup(Condition condition, Profile profile, List<InetSocketAddress> servers) {}
}
