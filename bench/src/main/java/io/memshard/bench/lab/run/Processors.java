// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.server.ProcessFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Processors to which {@code taskset} confines the fork and the memcached; empty if nothing can be pinned. If there are
 * more than two, the server gets a quarter of them and at least one, and the client the others. Otherwise both use all.
 */
record Processors(List<Integer> client, List<Integer> server) {

    private static final String TASKSET = "taskset";
    private static final int SHARED = 2;
    private static final int SERVER_SHARE = 4;

    static Processors of(Profile profile, boolean withServer) {
        String status = ProcessFiles.ownStatus("Cpus_allowed_list");
        List<Integer> allowed =
                parse(status.isEmpty() ? "0-" + (Runtime.getRuntime().availableProcessors() - 1) : status);
        return isPinning() ? of(profile, withServer, allowed) : new Processors(List.of(), List.of());
    }

    static Processors of(Profile profile, boolean withServer, List<Integer> allowed) {
        List<Integer> cpus = allowed.subList(0, Math.min(allowed.size(), profile.mostCpus()));
        if (!withServer || cpus.size() <= SHARED) {
            return new Processors(cpus, cpus);
        }
        int ofServer = Math.max(1, cpus.size() / SERVER_SHARE);
        return new Processors(cpus.subList(ofServer, cpus.size()), cpus.subList(0, ofServer));
    }

    /** Parses a list such as {@code 0-3,8}, as the kernel and {@code taskset} write it. */
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

    private static boolean isPinning() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, TASKSET)));
    }

    List<String> prefix() {
        return prefix(client);
    }

    List<String> besideServer() {
        return prefix(server);
    }

    private static List<String> prefix(List<Integer> cpus) {
        return cpus.isEmpty() ? List.of() : List.of(TASKSET, "-c", text(cpus));
    }

    void moveServer(long pid) {
        // Fails if a thread ends at the same time. The main thread has the id of the process.
        if (!server.isEmpty() && run("-acp", pid) != 0 && run("-cp", pid) != 0) {
            throw new BenchException("taskset cannot pin process " + pid + " to processor " + text(server));
        }
    }

    private int run(String option, long pid) {
        try {
            Process process = new ProcessBuilder(TASKSET, option, text(server), String.valueOf(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            throw new BenchException("taskset is needed on the PATH: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while taskset pinned process " + pid, e);
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
