// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.contender.ContenderOptions;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Options of the lock profiles, and their check.
 *
 * <p>Failure: {@link ParameterException} naming option and value.
 */
public final class LockOptions extends ContenderOptions {

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            description = "The contenders, comma-separated (default: template, connection, the"
                    + " spymemcached arrays and memshard). Known: ${COMPLETION-CANDIDATES}",
            completionCandidates = Names.class)
    private @Nullable List<String> contenders;

    @Option(
            names = "--threads",
            split = ",",
            paramLabel = "N",
            description = "Numbers of blocking callers, one recording each (default: 1,8,64,200; quick: 8,64).")
    private @Nullable List<Integer> threads;

    @Option(
            names = "--profile",
            defaultValue = "cloud",
            description = "cloud (a pool of 20) or physical (a pool of 100); default: ${DEFAULT-VALUE}.")
    private Profile profile = Profile.CLOUD;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Length of each recorded load (default: 3; quick: 0.6).")
    private @Nullable Integer seconds;

    /** Returns the plan that these options make. */
    public LockPlan toPlan() {
        LockPlan standard = LockPlan.standard(isQuick(), profile.poolSize());
        List<Integer> numbers = threads == null ? standard.threads() : threads;
        checkEach("--threads", numbers, 1, 10_000);
        if (seconds != null) {
            check("--seconds", seconds, 1, 600);
        }
        return new LockPlan(
                contenders == null
                        ? standard.contenders()
                        : contenders.stream().map(this::kind).toList(),
                numbers,
                standard.poolSize(),
                seconds == null ? standard.window() : Duration.ofSeconds(seconds));
    }
}
