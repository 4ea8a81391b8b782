// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options that all measurements have. They are checked together, once all of them are read.
 *
 * <p>Failure: {@link ParameterException} naming option and value.
 */
public abstract class RunOptions {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for the results (default: bench/results/ and the time).")
    private @Nullable Path out;

    @Option(names = "--quick", description = "A short run, of two or three minutes at most.")
    private boolean quick;

    /** Returns the folder that was named; null for the default. */
    public final @Nullable Path out() {
        return out;
    }

    /** Returns whether a short run was requested. */
    public final boolean isQuick() {
        return quick;
    }

    /** Throws the exception for wrong options if {@code value} is not from {@code least} to {@code most}. */
    protected final void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong(option + " must be from " + least + " to " + most + ", not " + value);
        }
    }

    /** Throws the exception for wrong options if any of {@code values} is not from {@code least} to {@code most}. */
    protected final void checkEach(String option, List<Integer> values, int least, int most) {
        values.forEach(value -> check(option, value, least, most));
    }

    /** Returns the exception for wrong options; the message says what is wrong. */
    protected final ParameterException wrong(String message) {
        if (spec == null) {
            throw new IllegalStateException("options used outside of a command: " + message);
        }
        return new ParameterException(spec.commandLine(), message);
    }
}
