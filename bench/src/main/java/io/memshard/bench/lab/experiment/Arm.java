// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * System with one set of settings, not yet opened. Threading: immutable.
 *
 * @param name name in files and on pages: lower-case letters, digits, dots and hyphens
 * @param variant id of a line of {@code variants.txt}, whose jars stand first on the class path of the fork; empty for
 *     the libraries of the benchmarks themselves
 * @param jvmFlags further flags of the fork, such as {@code --add-opens}
 * @param opener opener of the system; called once, in the fork
 */
public record Arm(String name, String variant, List<String> jvmFlags, Opener opener) {

    /** Copies the flags. */
    public Arm {
        jvmFlags = List.copyOf(jvmFlags);
    }

    /** Returns an arm on the class path of the benchmarks. */
    public static Arm of(String name, Opener opener) {
        return new Arm(name, "", List.of(), opener);
    }

    /** Opener of the system. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the system and makes it ready for {@link Setup#condition()}: connected, filled, prewarmed.
         *
         * @throws Exception if the system cannot be opened here, which the lab reports as an arm that did not run
         */
        OpenedArm open(Setup setup) throws Exception;
    }

    /**
     * Environment in which an arm is opened. The server, a memcached, is empty and ready; it is null if the
     * experiment needs none. Threading: immutable.
     */
    public record Setup(
            Condition condition, Profile profile, @Nullable InetSocketAddress server) {}
}
