// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command of {@code bench/run}: its streams, and the command line that it was called by.
 *
 * <p>Threading: confined to the main thread.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class BenchCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    /** Returns where results and progress are printed. */
    protected final PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    /** Returns the command line with which this command can be repeated. */
    protected final String typed() {
        return BenchTerminal.typed(Objects.requireNonNull(spec));
    }

    /** Returns {@code named}, or a new folder under the default one if it is null. */
    protected static Path folder(@Nullable Path named) {
        return BenchTerminal.resultsFolder(named);
    }
}
