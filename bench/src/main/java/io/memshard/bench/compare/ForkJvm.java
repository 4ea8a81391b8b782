// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.SliceResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    static List<SliceResult> run(ForkTask task, Path folder, Consumer<String> line) {
        Path slices = folder.resolve(ComparisonFiles.SLICES);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(slices);
            task.write(folder.resolve(CompareFork.TASK));
            await(new ProcessBuilder(command(folder)).redirectErrorStream(true).start(), task, line);
            List<SliceResult> found = ComparisonFiles.readSlices(slices);
            Files.delete(slices);
            Files.delete(folder.resolve(CompareFork.TASK));
            Files.delete(folder);
            return found;
        } catch (IOException e) {
            throw new BenchException("cannot run fork " + task.fork() + ": " + e.getMessage(), e);
        }
    }

    private static List<String> command(Path folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path", ""));
        command.add(CompareFork.class.getName());
        command.add(folder.toString());
        return command;
    }

    private static void await(Process fork, ForkTask task, Consumer<String> line) throws IOException {
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
