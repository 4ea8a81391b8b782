// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.ProcessFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Processors to which {@code taskset} confines the fork and memcached; empty without {@code taskset}. */
record Processors(List<Integer> client, List<Integer> server) {

    private static final String TASKSET = "taskset";
    private static final int SHARED = 2;
    private static final int SERVER_SHARE = 4;
    private static final boolean IS_PINNING = Stream.of(
                    System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, TASKSET)));
    /** Processors that this process may use at its start. */
    private static final List<Integer> ALLOWED = parse(ProcessFiles.value("/proc/self/status", "Cpus_allowed_list"));

    static Processors of(Profile profile, boolean withServer) {
        return IS_PINNING ? of(profile, withServer, ALLOWED) : new Processors(List.of(), List.of());
    }

    static Processors of(Profile profile, boolean withServer, List<Integer> allowed) {
        List<Integer> cpus = allowed.subList(0, Math.min(allowed.size(), profile.mostCpus()));
        if (!withServer || cpus.size() <= SHARED) {
            return new Processors(cpus, cpus);
        }
        int ofServer = Math.max(1, cpus.size() / SERVER_SHARE);
        return new Processors(cpus.subList(ofServer, cpus.size()), cpus.subList(0, ofServer));
    }

    static List<Integer> parse(String text) {
        return Stream.of(text.strip().split(",", -1))
                .filter(part -> !part.isBlank())
                .map(part -> part.split("-", 2))
                .flatMap(ends -> IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .boxed())
                .toList();
    }

    private static String text(List<Integer> cpus) {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Confines this process and its future child processes to the processors of the client. */
    void moveForks() {
        move(client, ProcessHandle.current().pid());
    }

    void moveServer(long pid) {
        move(server, pid);
    }

    private static void move(List<Integer> cpus, long pid) {
        // A thread that ends at the same time makes taskset fail, so a second call follows.
        if (!cpus.isEmpty() && taskset(text(cpus), pid) != 0 && taskset(text(cpus), pid) != 0) {
            throw new BenchException("taskset cannot pin process " + pid + " to processor " + text(cpus));
        }
    }

    private static int taskset(String cpus, long pid) {
        try {
            return new ProcessBuilder(TASKSET, "-acp", cpus, String.valueOf(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
        } catch (IOException e) {
            throw new BenchException("cannot run taskset, which must be on the PATH: " + e.getMessage(), e);
        }
    }

    String label() {
        if (client.isEmpty()) {
            return "not pinned: there is no taskset";
        }
        String cpus = client.equals(server)
                ? "client and server share CPUs " + text(client)
                : "client on CPUs " + text(client) + ", server on " + text(server);
        return cpus + ", by processor affinity";
    }
}
