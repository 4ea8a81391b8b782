// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import io.memshard.bench.command.BenchException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Pinning of processes to processors, by {@code taskset}. Processors have the format of {@code taskset}:
 * {@code 0-3,8}.
 *
 * <p>Threading: stateless. Failure: {@link BenchException}.
 */
public final class Taskset {

    private static final String PROGRAM = "taskset";

    private Taskset() {}

    /** Returns whether the program is on the PATH. */
    public static boolean isAvailable() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
    }

    /** Returns the start of a command line whose process runs on {@code processors}. */
    public static List<String> command(String processors) {
        return List.of(PROGRAM, "-c", processors);
    }

    /** Pins all threads of a process. */
    public static void pinProcess(String processors, long pid) {
        // Fails if a thread ends at the same time. The main thread has the id of the process.
        if (run("-acp", processors, pid) != 0 && run("-cp", processors, pid) != 0) {
            throw new BenchException("taskset cannot pin process " + pid + " to processor " + processors);
        }
    }

    private static int run(String option, String processors, long id) {
        try {
            Process process = new ProcessBuilder(PROGRAM, option, processors, String.valueOf(id))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            throw new BenchException("taskset is needed on the PATH: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while taskset ran", e);
        }
    }
}
