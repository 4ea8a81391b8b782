// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.memshard.bench.command.RunOptions;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Options of the study of many servers, and their check.
 *
 * <p>Failure: {@link ParameterException} naming option and value.
 */
public final class ScaleOptions extends RunOptions {

    private static final int MOST_SERVERS = 1_000;
    private static final int MOST_CONNECTIONS = 16;

    @Option(
            names = "--servers",
            split = ",",
            paramLabel = "N",
            defaultValue = "1,10,50,100,200",
            description = "Numbers of servers (default: ${DEFAULT-VALUE}). Gets are compared with the first.")
    private List<Integer> servers = List.of();

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections to each server, of two sockets each (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of orders (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** Returns the plan that these options make. */
    ScalePlan toPlan() {
        checkEach("--servers", servers, 1, MOST_SERVERS);
        check("--connections", connections, 1, MOST_CONNECTIONS);
        return ScalePlan.of(servers, connections, seed, isQuick());
    }
}
