// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.command.RunOptions;
import io.memshard.sharding.ring.Ring;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Options of the study of rings, and their check.
 *
 * <p>Failure: {@link ParameterException} naming option and value.
 */
public final class RingOptions extends RunOptions {

    private static final int LEAST_SERVERS = 2;
    private static final int MOST_SERVERS = 2_000;

    @Option(
            names = "--rings",
            split = ",",
            paramLabel = "NAME",
            description = "The rings, comma-separated (default: all). Known: ${COMPLETION-CANDIDATES}",
            completionCandidates = Names.class)
    private @Nullable List<String> rings;

    @Option(
            names = "--servers",
            split = ",",
            paramLabel = "N",
            defaultValue = "3,10,50,100,200,1000",
            description = "Numbers of servers (default: ${DEFAULT-VALUE}).")
    private List<Integer> servers = List.of();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of keys and orders (default: ${DEFAULT-VALUE}). Balance and movement are the same for"
                    + " the same seed.")
    private long seed;

    /** Returns the plan that these options make. */
    RingPlan toPlan() {
        checkEach("--servers", servers, LEAST_SERVERS, MOST_SERVERS);
        List<String> names = rings == null ? new Names() : rings;
        for (String name : names) {
            if (!Ring.names().contains(name)) {
                throw wrong("unknown ring \"" + name + "\" in --rings; known are " + String.join(", ", new Names()));
            }
        }
        return RingPlan.of(
                List.copyOf(names), servers.stream().distinct().sorted().toList(), seed, isQuick());
    }

    /** The names, for help and completion. */
    static final class Names extends ArrayList<String> {

        Names() {
            super(Ring.names());
        }
    }
}
