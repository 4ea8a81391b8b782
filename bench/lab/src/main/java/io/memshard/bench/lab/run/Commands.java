// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.bench.command.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs short programs. Threading: stateless. Failure: {@link BenchException} with what the program said. */
final class Commands {

    private static final long PATIENCE_SECONDS = 60;

    private Commands() {}

    /** What {@code command} printed, without space around it. */
    static String output(List<String> command) {
        Path said = null;
        try {
            said = Files.createTempFile("lab-command", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String text = Files.readString(said, UTF_8).strip();
            if (!ended || process.exitValue() != 0) {
                throw new BenchException(String.join(" ", command) + (ended ? " failed: " : " does not end: ") + text);
            }
            return text;
        } catch (IOException e) {
            throw new BenchException("cannot run " + String.join(" ", command) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while " + command.get(0) + " ran", e);
        } finally {
            delete(said);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A file of a few bytes in the folder of temporary files.
        }
    }
}
