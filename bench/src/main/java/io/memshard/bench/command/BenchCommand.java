// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import java.io.PrintWriter;
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
}
