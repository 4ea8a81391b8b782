// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.machine.ProcessFiles;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.machine.Taskset;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Processors of the fork and of the memcached under a profile, and the means that confines each to its processors.
 *
 * <p>With more than two processors, client and server have separate ones: a quarter, and at least one, is the server's.
 * With one or two processors they share them, and the page says so. Threading: immutable.
 *
 * @param isolation means that confines fork and memcached to their processors
 * @param client processors of the fork; empty if nothing can be pinned here
 * @param server processors of the memcached; equal to {@code client} if they share them
 * @param megabytes memory of the client's container, in megabytes
 */
record Processors(Isolation isolation, List<Integer> client, List<Integer> server, int megabytes) {

    private static final int SHARED = 2;
    private static final int SERVER_SHARE = 4;
    private static final String FORK =
            "memshard-lab-fork-" + ProcessHandle.current().pid();

    /** Returns the placement of {@code profile} on this machine, on all processors that the profile has. */
    static Processors of(Profile profile, boolean withServer, Isolation isolation) {
        return of(profile, withServer, isolation, Condition.ofThreads(1));
    }

    /**
     * Returns the placement under {@code condition}.
     *
     * @throws BenchException if {@code condition} names more processors than this process may use
     */
    static Processors of(Profile profile, boolean withServer, Isolation isolation, Condition condition) {
        int cpus = condition.number(Condition.CPUS, 0);
        if (isolation == Isolation.NONE) {
            if (cpus > 0) {
                throw new BenchException("a number of processors needs taskset on the PATH or a Docker engine");
            }
            return new Processors(isolation, List.of(), List.of(), profile.megabytes());
        }
        List<Integer> allowed = allowed();
        if (cpus > allowed.size()) {
            throw new BenchException(cpus + " processors are wanted, and there are " + allowed.size());
        }
        return of(profile, withServer, isolation, cpus == 0 ? allowed : allowed.subList(0, cpus));
    }

    static Processors of(Profile profile, boolean withServer, Isolation isolation, List<Integer> allowed) {
        List<Integer> cpus = allowed.subList(0, Math.min(allowed.size(), profile.mostCpus()));
        if (!withServer || cpus.size() <= SHARED) {
            return new Processors(isolation, cpus, cpus, profile.megabytes());
        }
        int ofServer = Math.max(1, cpus.size() / SERVER_SHARE);
        return new Processors(
                isolation, cpus.subList(ofServer, cpus.size()), cpus.subList(0, ofServer), profile.megabytes());
    }

    /** Returns the processors that this process may use. */
    static List<Integer> allowed() {
        String allowed = ProcessFiles.ownStatus("Cpus_allowed_list");
        return allowed.isEmpty()
                ? IntStream.range(0, Runtime.getRuntime().availableProcessors())
                        .boxed()
                        .toList()
                : parse(allowed);
    }

    /**
     * Returns the numbers in a list such as {@code 0-3,8}, as the kernel and {@code taskset} write it; none for an
     * empty text.
     */
    static List<Integer> parse(String text) {
        return Stream.of(text.strip().split(",", -1))
                .filter(part -> !part.isBlank())
                .map(part -> part.split("-", 2))
                .flatMap(ends -> IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .boxed())
                .toList();
    }

    /** Returns {@code cpus} with commas between them. */
    static String text(List<Integer> cpus) {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /**
     * Returns the first words of a fork's command line. The fork may read {@code classPath} and write {@code folder}.
     */
    List<String> prefix(String classPath, Path folder) {
        return switch (isolation) {
            case NONE -> List.of();
            case AFFINITY -> Taskset.command(text(client));
            case CONTAINER -> Containers.foreground(FORK, client, megabytes, folders(classPath), absolute(folder));
        };
    }

    private static List<Path> folders(String classPath) {
        return Stream.concat(
                        Stream.of(Path.of(System.getProperty("java.home", ""))),
                        Stream.of(classPath.split(File.pathSeparator, -1))
                                .map(file -> absolute(Path.of(file)))
                                .map(file -> file.toString().endsWith(".jar") ? file.resolveSibling("") : file))
                .map(Processors::absolute)
                .distinct()
                .toList();
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /** Ends a fork that exceeded its time, if it runs in a container. Killing its process is not enough there. */
    void endFork() {
        if (isolation == Isolation.CONTAINER) {
            Containers.remove(FORK);
        }
    }

    /** Returns the first words of a command line for a helper of the server. The helper is not measured. */
    List<String> besideServer() {
        return isolation == Isolation.NONE || Isolation.withoutContainers() == Isolation.NONE
                ? List.of()
                : Taskset.command(text(server));
    }

    /** Moves the threads of {@code pid} to the server's processors, if affinity confines them. */
    void moveServer(long pid) {
        if (isolation == Isolation.AFFINITY) {
            Taskset.pinProcess(text(server), pid);
        }
    }

    /** Returns the placement in words. */
    String label() {
        if (isolation == Isolation.NONE) {
            return "not pinned: there is neither taskset nor a Docker engine";
        }
        String cpus = client.equals(server)
                ? "client and server share CPUs " + text(client)
                : "client on CPUs " + text(client) + ", server on " + text(server);
        return cpus
                + (isolation == Isolation.AFFINITY
                        ? ", by processor affinity"
                        : ", in containers of " + megabytes + " MB and " + Containers.SERVER_MEGABYTES + " MB");
    }
}
