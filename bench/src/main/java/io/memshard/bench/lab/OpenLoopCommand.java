// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.page.LabData;
import io.memshard.bench.lab.page.OpenLoopTables;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.result.BenchException;
import io.memshard.testkit.Program;
import io.memshard.testkit.ServerLadder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that measures calls at given rates. */
abstract class OpenLoopCommand extends BenchCommand {

    private static final int MOST_RATE = 1_000_000;
    private static final int CALLERS = 64;

    @Mixin
    ClientOptions options = new ClientOptions();

    @Option(
            names = "--warm-up",
            defaultValue = "10",
            description = "Seconds before the measurement, at the same load (default: ${DEFAULT-VALUE}; with fewer,"
                    + " figures are void).")
    private int warmUp;

    @Option(names = "--window", description = "Seconds of the measurement (default: 30; quick 6).")
    private int window;

    abstract LabPlan plan();

    abstract String table(OpenLoopTables tables);

    final int seconds() {
        return window > 0 ? window : options.isQuick ? 6 : 30;
    }

    /** Returns the plan of each client under each of its loads. */
    final LabPlan plan(
            List<ContenderKind> clients, int callers, int blocks, Function<Plan.Cell, Stream<Condition>> loads) {
        List<ContenderKind> kinds = options.kinds(clients);
        List<Plan.Cell> cells = options.cells(kinds, options.callers(List.of(callers))).stream()
                .flatMap(cell -> loads.apply(cell).map(load -> new Plan.Cell(cell.arm(), load)))
                .toList();
        int number = options.blocks(options.isQuick ? 1 : blocks);
        return options.plan(kinds, Plan.of(cells, number, Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds())));
    }

    @Override
    public final Integer call() {
        Path folder = options.folder();
        LabCommand.blocks(plan(), folder, out()).run(typed(), "none");
        out().println();
        out().print(table(new OpenLoopTables(LabData.read(folder))));
        out().flush();
        return 0;
    }

    @Command(
            name = "latency",
            description =
                    "Measures how long a get takes at given loads (an open loop), with each client. Stores keys named"
                            + " bench:... on the server.")
    static final class Latency extends OpenLoopCommand {

        private static final List<ContenderKind> QUICK = List.of(
                ContenderKind.CONNECTION, ContenderKind.TEMPLATE, ContenderKind.XMEMCACHED, ContenderKind.MEMSHARD);

        private static final List<Integer> RATES = List.of(5_000, 10_000, 20_000, 35_000, 50_000);
        private static final List<Integer> QUICK_RATES = List.of(10_000, 35_000);
        private static final int MOST_MICROS = 1_000_000;
        private static final int BLOCKS = 10;

        @Option(
                names = "--rates",
                split = ",",
                paramLabel = "N",
                description = "Requests a second, each measured separately (default: 5000,10000,20000,35000,50000;"
                        + " quick: 10000,35000).")
        private @Nullable List<Integer> rates;

        @Option(
                names = "--capacities",
                paramLabel = "DIR",
                description = "Folder of a run of 'full'. Each client then gets shares of its own throughput in that"
                        + " run, instead of --rates. The number of callers is --threads, or else the highest of that"
                        + " run.")
        private @Nullable Path capacities;

        @Option(
                names = "--shares",
                split = ",",
                defaultValue = "50,80",
                description = "Shares of the throughput in --capacities (default: ${DEFAULT-VALUE}).")
        private List<Integer> shares = List.of();

        @Option(
                names = "--round-trip",
                split = ",",
                defaultValue = "0",
                description = "Added round trips to the server in microseconds (default: ${DEFAULT-VALUE}).")
        private List<Integer> roundTrips = List.of();

        @Override
        LabPlan plan() {
            List<Integer> offered = rates != null ? rates : options.isQuick ? QUICK_RATES : RATES;
            options.checkEach("--rates", offered, 1, MOST_RATE);
            options.checkEach("--shares", shares, 1, 100);
            options.checkEach("--round-trip", roundTrips, 0, MOST_MICROS);
            Forks earlier = new Forks(
                    capacities == null ? List.of() : ForkFile.read(capacities.resolve(ForkFile.NAME)),
                    Clients.NAME,
                    options.profiles().get(0));
            int callers = earlier.all().stream()
                    .mapToInt(fork -> fork.key().condition().threads())
                    .max()
                    .orElse(CALLERS);
            return plan(
                    options.isQuick ? QUICK : ClientOptions.QUICK,
                    callers,
                    BLOCKS,
                    cell -> roundTrips.stream()
                            .flatMap(micros -> loads(cell, offered, earlier)
                                    .map(load -> micros == 0 ? load : load.with(Condition.ROUND_TRIP, micros + "us"))));
        }

        private Stream<Condition> loads(Plan.Cell cell, List<Integer> offered, Forks earlier) {
            Condition condition = cell.condition();
            if (capacities == null) {
                return offered.stream().map(rate -> condition.with(Condition.RATE, rate));
            }
            double capacity = earlier.median(cell.arm(), condition, Metric.THROUGHPUT);
            if (!(capacity > 0)) {
                throw new BenchException(capacities + " has no throughput of " + cell.arm() + " for "
                        + condition.label() + ": measure it with 'bench/run full', or change --contenders, --threads or"
                        + " --profile");
            }
            return shares.stream()
                    .map(share -> condition
                            .with(Condition.SHARE, share)
                            .with(Condition.RATE, Math.max(1, Math.round(capacity * share / 100))));
        }

        @Override
        String table(OpenLoopTables tables) {
            return tables.latency();
        }
    }

    @Command(
            name = "outage",
            description = "Measures what callers see while one of three servers is stopped (SIGSTOP) or dead (SIGKILL)"
                    + " in the second third of the measurement. Starts its own memcached processes.")
    static final class Outage extends OpenLoopCommand {

        private static final List<ContenderKind> CLIENTS = List.of(
                ContenderKind.SPYMEMCACHED_BARE,
                ContenderKind.SPYMEMCACHED_POOL,
                ContenderKind.XMEMCACHED,
                ContenderKind.FOLSOM,
                ContenderKind.MEMSHARD);

        @Option(
                names = "--rate",
                paramLabel = "N",
                defaultValue = "5000",
                description = "Requests a second (default: ${DEFAULT-VALUE}).")
        private int rate;

        @Override
        LabPlan plan() {
            options.check("--rate", rate, 1, MOST_RATE);
            if (seconds() % 3 != 0) {
                throw options.wrong("--window must be a multiple of 3, not " + seconds());
            }
            if (!options.named().isEmpty()) {
                throw options.wrong("an outage stops only its own servers: omit --server, and unset "
                        + ServerLadder.ADDRESS_VARIABLE);
            }
            if (Program.MEMCACHED.find().isEmpty()) {
                throw options.wrong("an outage needs the program memcached on the PATH");
            }
            return plan(
                    CLIENTS,
                    CALLERS,
                    LabPlan.LEAST_BLOCKS,
                    cell -> Stream.of(Condition.STOP, Condition.KILL)
                            .map(outage ->
                                    cell.condition().with(Condition.RATE, rate).with(Condition.OUTAGE, outage)));
        }

        @Override
        String table(OpenLoopTables tables) {
            return tables.outage();
        }
    }
}
