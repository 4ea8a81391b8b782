// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.server.Keyspace;
import io.memshard.testkit.ServerLadder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class ClientOptions extends RunOptions {

    static final List<ContenderKind> QUICK = List.of(
            ContenderKind.CONNECTION,
            ContenderKind.TEMPLATE,
            ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN,
            ContenderKind.MEMSHARD,
            ContenderKind.MEMSHARD_SINGLE,
            ContenderKind.XMEMCACHED,
            ContenderKind.FOLSOM,
            ContenderKind.SOCKET_PER_THREAD);

    private static final List<ContenderKind> PROFILED = List.of(
            ContenderKind.TEMPLATE,
            ContenderKind.CONNECTION,
            ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN,
            ContenderKind.SPYMEMCACHED_ARRAY_THREAD_ID,
            ContenderKind.MEMSHARD_SINGLE,
            ContenderKind.MEMSHARD_ROUND_ROBIN,
            ContenderKind.MEMSHARD_STICKY);

    private static final List<Integer> QUICK_THREADS = List.of(8, 64);
    private static final int QUICK_BLOCKS = 3;
    private static final Duration QUICK_TIME = Duration.ofMillis(600);
    private static final List<Integer> THREADS = List.of(1, 8, 64, 200);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final int LARGEST_VALUE = 50_000;
    private static final int VIRTUAL_THREADS_SINCE = 21;

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            description = "The contenders, comma-separated (default: all but three; quick: eight; latency: eight,"
                    + " quick four; outage: five). Ratios are to 'connection' if it takes part, otherwise to the first."
                    + " This baseline runs twice, once with '-again' after its name. Known: ${COMPLETION-CANDIDATES}")
    private @Nullable List<ContenderKind> contenders;

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
            description =
                    "Numbers of callers, measured separately (default: 1,8,64,200; quick: 8,64; latency and outage:"
                            + " 64).")
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
            description = "Connections of each contender that is an array; several numbers are measured separately"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> connections = List.of();

    @Option(
            names = "--load",
            description =
                    "get; set; realistic: a million keys by Zipf's law, values of 110 B to 16 KiB, one miss in ten"
                            + " gets, a set after each miss (default: get).")
    private Clients.Load load = Clients.Load.GET;

    @Option(names = "--virtual", description = "Callers are virtual threads; on Java 21 or later.")
    private boolean areVirtual;

    LabPlan toPlan() {
        List<ContenderKind> kinds = kinds(isQuick ? QUICK : ContenderKind.regular());
        List<Integer> callers = callers();
        List<Plan.Cell> profiled = areVirtual
                ? List.of()
                : cells(
                        PROFILED.stream().filter(kinds::contains).toList(),
                        isQuick ? callers.subList(callers.size() - 1, callers.size()) : callers);
        List<Plan.Cell> cells = new ArrayList<>(cells(kinds, callers));
        if (!otherBuild.isEmpty()) {
            cells(List.of(ContenderKind.MEMSHARD), callers)
                    .forEach(cell -> cells.add(new Plan.Cell(Clients.OTHER, cell.condition())));
        }
        return plan(kinds, closedLoop(cells, profiled));
    }

    LabPlan toProfiles() {
        mayBeBusy = true;
        List<ContenderKind> kinds = kinds(PROFILED);
        return plan(kinds, closedLoop(List.of(), cells(kinds, callers())));
    }

    private Plan closedLoop(List<Plan.Cell> cells, List<Plan.Cell> profiled) {
        Plan plan = isQuick
                ? Plan.of(cells, blocks(QUICK_BLOCKS), QUICK_TIME, QUICK_TIME)
                : Plan.of(cells, blocks(LabPlan.LEAST_BLOCKS), WARM_UP, WINDOW);
        return plan.withProfiles(profiled);
    }

    String named() {
        return server.isEmpty() ? System.getenv().getOrDefault(ServerLadder.ADDRESS_VARIABLE, "") : server;
    }

    LabPlan plan(List<ContenderKind> kinds, Plan plan) {
        if (areVirtual && Runtime.version().feature() < VIRTUAL_THREADS_SINCE) {
            throw wrong("--virtual needs Java 21 or later, but this is Java "
                    + Runtime.version().feature());
        }
        if (profiles().size() != 1) {
            throw wrong("--profile must be cloud or physical here");
        }
        return new LabPlan(
                List.of(new Clients(kinds, plan, otherBuild)),
                isQuick ? Size.QUICK : Size.FULL,
                profiles(),
                named(),
                seed,
                mayBeBusy,
                0);
    }

    List<ContenderKind> kinds(List<ContenderKind> otherwise) {
        return contenders == null ? otherwise : contenders.stream().distinct().toList();
    }

    private List<Integer> callers() {
        return callers(isQuick ? QUICK_THREADS : THREADS);
    }

    List<Integer> callers(List<Integer> otherwise) {
        List<Integer> callers = Objects.requireNonNullElse(threads, otherwise);
        checkEach("--threads", callers, 1, 10_000);
        return callers;
    }

    List<Plan.Cell> cells(List<ContenderKind> kinds, List<Integer> callers) {
        checkEach("--connections", connections, 1, 1_000);
        checkEach("--value-size", valueSizes, Keyspace.SHORTEST_VALUE, LARGEST_VALUE);
        List<Plan.Cell> cells = new ArrayList<>();
        for (int size : valueSizes) {
            for (int number : callers) {
                for (ContenderKind kind : kinds) {
                    for (int sockets : kind.isArray() ? connections : connections.subList(0, 1)) {
                        cells.add(new Plan.Cell(
                                Clients.name(kind, sockets), Clients.condition(number, size, load, areVirtual)));
                    }
                }
            }
        }
        return cells;
    }
}
