// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.fork.JavaCommand;
import io.memshard.bench.fork.TaskFile;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.SliceResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a fork in a JVM of its own, with the flags and the class path of this one.
 *
 * <p>Threading: confined to one thread.
 */
final class ForkJvm {

    private ForkJvm() {}

    /**
     * The slices of {@code task}.
     *
     * @param folder for its files, created and emptied again
     * @param line gets each line that the fork prints
     * @throws BenchException with the last line if the fork failed
     */
    static List<SliceResult> run(CompareTask task, Path folder, Consumer<String> line) {
        Path slices = folder.resolve(ComparisonFiles.SLICES);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(slices);
            TaskFile.write(folder, task);
            await(new ProcessBuilder(command(folder)).redirectErrorStream(true).start(), task, line);
            List<SliceResult> found = ComparisonFiles.readSlices(slices);
            Files.delete(slices);
            TaskFile.delete(folder);
            Files.delete(folder);
            return found;
        } catch (IOException e) {
            throw new BenchException("cannot run fork " + task.fork() + ": " + e.getMessage(), e);
        }
    }

    private static List<String> command(Path folder) {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return JavaCommand.of(flags, JavaCommand.ownClassPath(), CompareFork.class.getName(), folder.toString());
    }

    private static void await(Process fork, CompareTask task, Consumer<String> line) throws IOException {
        String last = "it said nothing";
        try (BufferedReader out = fork.inputReader(StandardCharsets.UTF_8)) {
            for (String next = out.readLine(); next != null; next = out.readLine()) {
                line.accept(next);
                last = next;
            }
            if (fork.waitFor() != 0) {
                throw new BenchException("fork " + task.fork() + " failed: " + last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        } finally {
            fork.destroyForcibly();
        }
    }
}
