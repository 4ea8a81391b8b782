// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of a command line that are checked together, once all of them are read. */
public abstract class CheckedOptions {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    /** Refuses a value that is not from {@code least} to {@code most}. */
    protected final void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong(option + " must be from " + least + " to " + most + ", not " + value);
        }
    }

    /** Refuses values of which one is not from {@code least} to {@code most}. */
    protected final void checkEach(String option, List<Integer> values, int least, int most) {
        values.forEach(value -> check(option, value, least, most));
    }

    /** The exception that says what is wrong with these options. */
    protected final ParameterException wrong(String message) {
        if (spec == null) {
            throw new IllegalStateException("options used outside of a command: " + message);
        }
        return new ParameterException(spec.commandLine(), message);
    }
}
