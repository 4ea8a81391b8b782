// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import io.memshard.bench.command.BenchException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Pinning of processes and threads to processors, by {@code taskset}. Processors have the format of {@code taskset}:
 * {@code 0-3,8}.
 *
 * <p>Threading: stateless. Failure: {@link BenchException}.
 */
public final class Taskset {

    /** Name of the program. */
    public static final String PROGRAM = "taskset";

    private Taskset() {}

    /** Returns the start of a command line whose process runs on {@code processors}. */
    public static List<String> command(String processors) {
        return List.of(PROGRAM, "-c", processors);
    }

    /** Pins a thread. */
    public static void pinThread(String processors, long thread) {
        if (run("-cp", processors, thread) != 0) {
            throw new BenchException("taskset cannot pin thread " + thread + " to processor " + processors);
        }
    }

    /** Pins all threads of a process. */
    public static void pinProcess(String processors, long pid) {
        if (run("-acp", processors, pid) != 0) {
            // A thread ended at the same time, or none can be pinned. The main thread has the id of the process.
            pinThread(processors, pid);
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
            throw new BenchException("interrupted", e);
        }
    }
}
