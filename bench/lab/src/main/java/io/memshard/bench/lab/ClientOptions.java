// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderOptions;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.venus.Clients;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.machine.VirtualThreads;
import io.memshard.bench.server.Keyspace;
import io.memshard.testkit.ServerLadder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Options of a run of clients, and their check.
 *
 * <p>Failure: {@link ParameterException} naming option and value.
 */
final class ClientOptions extends ContenderOptions {

    private static final List<ContenderKind> QUICK = List.of(
            ContenderKind.CONNECTION,
            ContenderKind.TEMPLATE,
            ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN,
            ContenderKind.MEMSHARD,
            ContenderKind.MEMSHARD_SINGLE,
            ContenderKind.XMEMCACHED,
            ContenderKind.FOLSOM,
            ContenderKind.SOCKET_PER_THREAD);

    private static final List<Integer> QUICK_THREADS = List.of(8, 64);
    private static final int QUICK_BLOCKS = 3;
    private static final Duration QUICK_TIME = Duration.ofMillis(600);
    private static final List<Integer> THREADS = List.of(1, 8, 64, 200);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final int MOST_THREADS = 10_000;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int LARGEST_VALUE = 50_000;

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            description = "The contenders, comma-separated (default: all but the rarer variants; quick: eight). Ratios"
                    + " are to 'connection' if it takes part, else to the first. That one runs twice, the second time"
                    + " with '-again' after its name. Known: ${COMPLETION-CANDIDATES}",
            completionCandidates = Names.class)
    private @Nullable List<String> contenders;

    @Option(
            names = "--other-build",
            paramLabel = "CLASSPATH",
            description = "Jars of the client, the sharding and the builder of another build of Memshard, which takes"
                    + " part as " + Clients.OTHER + ".")
    private String otherBuild = "";

    @Option(
            names = "--threads",
            split = ",",
            paramLabel = "N",
            description = "Numbers of callers, each a condition of its own (default: 1,8,64,200; quick: 8,64).")
    private @Nullable List<Integer> threads;

    @Option(
            names = "--value-size",
            split = ",",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Lengths of the values in bytes (default: ${DEFAULT-VALUE}).")
    private List<Integer> valueSizes = List.of();

    @Option(
            names = "--connections",
            split = ",",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections of the contenders that are an array; several give a curve"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> connections = List.of();

    @Option(names = "--load", description = "get; set; mixed: nine get to one set (default: get).")
    private Clients.Load load = Clients.Load.GET;

    @Option(names = "--virtual", description = "Callers are virtual threads, from Java 21.")
    private boolean areVirtual;

    @Option(
            names = "--profile",
            description = "cloud: a pool of 20, at most 4 CPUs; physical: a pool of 100, all CPUs (default: cloud).")
    private Profile profile = Profile.CLOUD;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Blocks, each a new JVM and a new server for every contender in a new order (default: "
                    + LabPlan.LEAST_BLOCKS + "; quick: " + QUICK_BLOCKS + ").")
    private @Nullable Integer blocks;

    @Option(names = "--seed", paramLabel = "N", description = "Of the orders (default: another one each time).")
    private @Nullable Long seed;

    @Option(
            names = "--anyway",
            description = "Measure on a busy machine too; the tables say that it was. A quick run always does.")
    private boolean anyway;

    /** Returns the plan that these options make. */
    LabPlan toPlan(boolean isQuick) {
        List<Integer> callers = threads != null ? threads : isQuick ? QUICK_THREADS : THREADS;
        int number = blocks != null ? blocks : isQuick ? QUICK_BLOCKS : LabPlan.LEAST_BLOCKS;
        checkEach("--threads", callers, 1, MOST_THREADS);
        checkEach("--connections", connections, 1, MOST_CONNECTIONS);
        checkEach("--value-size", valueSizes, Keyspace.SHORTEST_VALUE, LARGEST_VALUE);
        check("--blocks", number, 1, 1_000);
        if (areVirtual && !VirtualThreads.areThere()) {
            throw wrong("--virtual needs Java 21 or later, this is Java "
                    + Runtime.version().feature());
        }
        List<ContenderKind> kinds = kinds(isQuick);
        List<Plan.Cell> cells = cells(kinds, callers);
        Plan plan = isQuick ? Plan.of(cells, number, QUICK_TIME, QUICK_TIME) : Plan.of(cells, number, WARM_UP, WINDOW);
        return new LabPlan(
                List.of(new Clients(kinds, plan, otherBuild)),
                isQuick ? Size.QUICK : Size.FULL,
                List.of(profile),
                Objects.requireNonNullElse(server(), System.getenv().getOrDefault(ServerLadder.ADDRESS_VARIABLE, "")),
                seed != null ? seed : ThreadLocalRandom.current().nextInt(1_000_000),
                anyway);
    }

    private List<ContenderKind> kinds(boolean isQuick) {
        if (contenders != null) {
            return contenders.stream().map(this::kind).distinct().toList();
        }
        return isQuick
                ? QUICK
                : Arrays.stream(ContenderKind.values())
                        .filter(ContenderKind::isRegular)
                        .toList();
    }

    private List<Plan.Cell> cells(List<ContenderKind> kinds, List<Integer> callers) {
        List<Plan.Cell> cells = new ArrayList<>();
        for (int size : valueSizes) {
            for (int number : callers) {
                for (ContenderKind kind : kinds) {
                    for (int sockets : kind.isArray() ? connections : connections.subList(0, 1)) {
                        cells.add(new Plan.Cell(
                                kind.label(), Clients.condition(number, size, load, areVirtual, sockets)));
                    }
                }
                if (!otherBuild.isEmpty()) {
                    cells.add(new Plan.Cell(
                            Clients.OTHER, Clients.condition(number, size, load, areVirtual, connections.get(0))));
                }
            }
        }
        return cells;
    }
}
