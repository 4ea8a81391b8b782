// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.contender.ContenderOptions;
import io.memshard.bench.server.Keyspace;
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
            description = "The contenders, comma-separated (default: all; quick: template, connection, the"
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
            names = "--value-size",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Length of the values in bytes (default: ${DEFAULT-VALUE}).")
    private int valueSize;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections of the contenders that are an array (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--pool-size",
            paramLabel = "N",
            defaultValue = "20",
            description = "Clients in the pool of template (default: ${DEFAULT-VALUE}).")
    private int poolSize;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Length of each recorded load (default: 3; quick: 0.6).")
    private @Nullable Integer seconds;

    /** Returns the plan that these options make. */
    public LockPlan toPlan() {
        check("--value-size", valueSize, Keyspace.SHORTEST_VALUE, 1_000_000);
        check("--connections", connections, 1, 1_000);
        check("--pool-size", poolSize, 1, 1_000);
        LockPlan standard = LockPlan.standard(isQuick(), connections, poolSize, valueSize);
        List<Integer> numbers = threads == null ? standard.threads() : threads;
        checkEach("--threads", numbers, 1, 10_000);
        Duration window = standard.window();
        if (seconds != null) {
            check("--seconds", seconds, 1, 600);
            window = Duration.ofSeconds(seconds);
        }
        return new LockPlan(
                contenders == null
                        ? standard.contenders()
                        : contenders.stream().map(this::kind).toList(),
                numbers,
                connections,
                poolSize,
                valueSize,
                standard.warmUp(),
                window);
    }
}
