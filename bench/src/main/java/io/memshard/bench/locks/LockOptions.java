// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.command.CheckedOptions;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.server.Keyspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * What can be asked of the lock profiles on the command line, and its check.
 *
 * <p>Failure: {@link ParameterException} naming option and value.
 */
public final class LockOptions extends CheckedOptions {

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

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            description = "The memcached to use (default: MEMCACHED_ADDR, else a memcached of the PATH started on a"
                    + " free port).")
    private @Nullable String server;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for the recordings and results (default: bench/results/ and the time).")
    private @Nullable Path out;

    @Option(names = "--quick", description = "A short run, within 45 seconds.")
    private boolean quick;

    /** The server that was named; null to look for one. */
    public @Nullable String server() {
        return server;
    }

    /** The folder that was named; null for the default. */
    public @Nullable Path out() {
        return out;
    }

    /** The plan that these options make. */
    public LockPlan toPlan() {
        check("--value-size", valueSize, Keyspace.SHORTEST_VALUE, 1_000_000);
        check("--connections", connections, 1, 1_000);
        check("--pool-size", poolSize, 1, 1_000);
        LockPlan standard = LockPlan.standard(quick, connections, poolSize, valueSize);
        List<Integer> numbers = threads == null ? standard.threads() : threads;
        checkEach("--threads", numbers, 1, 10_000);
        Duration window = standard.window();
        if (seconds != null) {
            check("--seconds", seconds, 1, 600);
            window = Duration.ofSeconds(seconds);
        }
        return new LockPlan(
                contenders == null ? standard.contenders() : kinds(contenders),
                numbers,
                connections,
                poolSize,
                valueSize,
                standard.warmUp(),
                window);
    }

    private List<ContenderKind> kinds(List<String> names) {
        List<ContenderKind> kinds = new ArrayList<>();
        for (String name : names) {
            kinds.add(ContenderKind.of(name.strip())
                    .orElseThrow(() -> wrong("unknown contender \"" + name + "\" in --contenders; known are "
                            + String.join(", ", new Names()))));
        }
        return kinds;
    }

    /** The names, for help and completion. */
    static final class Names extends ArrayList<String> {

        Names() {
            super(Arrays.stream(ContenderKind.values())
                    .map(ContenderKind::label)
                    .toList());
        }
    }
}
