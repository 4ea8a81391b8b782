// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.machine.Taskset;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** Means that confine client and server to their processors. */
public enum Isolation {
    /** Containers, one for each, with limits of processors and memory. */
    CONTAINER,
    /** Processor affinity, by {@code taskset}. */
    AFFINITY,
    /** None: the kernel chooses the processors. */
    NONE;

    /** Returns the strictest isolation that this machine supports. */
    public static Isolation find() {
        if (Containers.areAvailable() && Containers.start()) {
            return CONTAINER;
        }
        return withoutContainers();
    }

    /** Returns processor affinity where taskset exists, else none. */
    public static Isolation withoutContainers() {
        return path(Taskset.PROGRAM).isEmpty() ? NONE : AFFINITY;
    }

    /**
     * Returns the isolation with that label.
     *
     * @throws BenchException if no isolation has that label, or this machine does not support it
     */
    public static Isolation named(String label) {
        Isolation named = Stream.of(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new BenchException("--isolation is container, affinity or none, not " + label));
        if (named == CONTAINER && !Containers.areAvailable()) {
            throw new BenchException(
                    "--isolation container needs Linux and a local Docker engine that answers; start one"
                            + " by docker/engine, or take --isolation affinity");
        }
        if (named == AFFINITY && path(Taskset.PROGRAM).isEmpty()) {
            throw new BenchException("--isolation affinity needs taskset on the PATH; install util-linux");
        }
        return named;
    }

    /** Returns the name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the first program of that name on the PATH; empty if there is none. */
    static String path(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
    }
}
