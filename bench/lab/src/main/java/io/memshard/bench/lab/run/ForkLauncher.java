// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variant;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.lab.variant.Variants;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.machine.TaskFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts the JVM of a fork and waits for its result. Its flags are the same for all arms, but for those that an arm
 * cannot do without.
 *
 * <p>Threading: confined to the thread that runs the lab.
 */
final class ForkLauncher {

    /** Flags of every fork: a fixed heap that is touched, a collector by name, stacks for hundreds of threads. */
    static final List<String> FLAGS =
            List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC", "-Xss256k");

    private static final long SPARE_SECONDS = 120;
    private static final int LOG_LINES = 5;

    private final VariantFolder variants;
    private final String main;

    /**
     * A launcher.
     *
     * @param variants the libraries of variants, resolved as far as possible
     * @param main class of the program of a fork
     */
    ForkLauncher(VariantFolder variants, String main) {
        this.variants = variants;
        this.main = main;
    }

    /**
     * Runs {@code task} in a JVM of its own with {@code folder} for its files; an arm that cannot run is a result too.
     */
    ForkResult launch(Fork.Task task, Arm arm, Placement placement, Path folder) throws InterruptedException {
        List<Path> classPath = Stream.of(JavaCommand.ownClassPath().split(File.pathSeparator))
                .map(Path::of)
                .toList();
        if (!arm.variant().isEmpty()) {
            Variant variant = Variants.named(arm.variant());
            Optional<String> reason = variants.whyNot(variant);
            if (reason.isPresent()) {
                return failed(task, "variant " + arm.variant() + ": " + reason.get());
            }
            classPath = variants.classPath(variant, classPath);
        }
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(folder.resolve(ForkFile.NAME));
            TaskFile.write(folder, task);
            Path log = folder.resolve("fork.log");
            Process fork = new ProcessBuilder(command(arm, classPath, placement, folder))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return await(fork, task, placement, folder, log);
        } catch (IOException e) {
            return failed(task, "cannot start the fork: " + e.getMessage());
        }
    }

    private static ForkResult await(Process fork, Fork.Task task, Placement placement, Path folder, Path log)
            throws IOException, InterruptedException {
        long patience = SPARE_SECONDS
                + task.warmUp().plus(task.window()).toSeconds()
                + (task.fixedCycles() == 0 ? 0 : TimeUnit.MINUTES.toSeconds(10));
        try {
            if (!fork.waitFor(patience, TimeUnit.SECONDS)) {
                placement.endFork();
                return failed(task, "the fork has not ended after " + patience + " s");
            }
        } finally {
            fork.destroyForcibly().waitFor();
        }
        Path row = folder.resolve(ForkFile.NAME);
        if (!Files.exists(row)) {
            List<String> lines = Files.readAllLines(log);
            String last = String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
            return failed(task, "the fork ended with status " + fork.exitValue() + ": " + last);
        }
        return ForkFile.read(row).get(0);
    }

    private List<String> command(Arm arm, List<Path> classPath, Placement placement, Path folder) {
        List<String> command = new ArrayList<>(placement.prefix(classPath, folder));
        List<String> flags = new ArrayList<>(FLAGS);
        flags.addAll(JavaCommand.nativeAccess());
        flags.addAll(arm.jvmFlags());
        command.addAll(JavaCommand.of(
                flags,
                classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                main,
                folder.toString()));
        return command;
    }

    private static ForkResult failed(Fork.Task task, String reason) {
        return ForkResult.failed(task.key(), 1, 1, reason.replaceAll("\\s+", " "));
    }
}
