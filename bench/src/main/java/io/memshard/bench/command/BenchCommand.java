// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Command of {@code bench/run}, with its output and the command line by which it was called.
 *
 * <p>Threading: confined to the main thread.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class BenchCommand implements Callable<Integer> {

    private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Spec
    private @Nullable CommandSpec spec;

    /** Returns the writer for results and progress. */
    protected final PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    /** Returns the command line with which this command can be repeated. */
    protected final String typed() {
        return BenchTerminal.typed(Objects.requireNonNull(spec));
    }

    /**
     * Checks the value of an option.
     *
     * @throws BenchException if the value is not from {@code least} to {@code most}
     */
    protected static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new BenchException(option + " must be from " + least + " to " + most + ", not " + value);
        }
    }

    /** Returns {@code named}; if it is null, returns the path of a new folder under the default folder. */
    protected static Path folder(@Nullable Path named) {
        return named != null
                ? named
                : Path.of(System.getProperty("memshard.bench.results", "bench/results"))
                        .resolve(FOLDER.format(LocalDateTime.now(ZoneId.systemDefault())));
    }
}
