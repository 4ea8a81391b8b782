// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.fork.TaskFile;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.server.BenchServer;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The program of one fork: reads its task, runs it and writes its slices, all in one folder.
 *
 * <p>Failure: exit status 1, and what a person can put right as the last line of the output.
 */
public final class CompareFork {

    private CompareFork() {}

    /** Runs the task of the folder that is the only argument. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        try {
            run(Path.of(arguments[0]), out);
            System.exit(0);
        } catch (BenchException | UncheckedIOException e) {
            out.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Path folder, PrintWriter out) {
        CompareTask task = TaskFile.read(folder, CompareTask.class);
        int slices = task.plan().slicesOfAFork();
        Progress progress =
                new Progress(out, (task.fork() - 1) * slices, task.plan().forks() * slices);
        try (BenchServer server = BenchServer.at(task.servers())) {
            Comparison comparison = new Comparison(task, server, progress);
            comparison.run();
            ComparisonFiles.writeSlices(folder.resolve(ComparisonFiles.SLICES), comparison.slices());
        }
    }
}
