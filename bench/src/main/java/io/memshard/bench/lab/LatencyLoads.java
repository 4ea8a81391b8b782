// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.BenchException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options with the loads at which latencies are measured. */
final class LatencyLoads {

    private static final List<Integer> QUICK_RATES = List.of(10_000, 35_000);

    @Option(
            names = "--rates",
            split = ",",
            paramLabel = "N",
            defaultValue = "5000,10000,20000,35000,50000",
            description = "Requests a second, each measured separately (default: ${DEFAULT-VALUE}).")
    List<Integer> rates = List.of();

    @Option(
            names = "--capacities",
            paramLabel = "DIR",
            description = "Folder of a run of 'full'. Each client then gets shares of its own throughput in that run,"
                    + " instead of --rates. The number of callers is --threads, or else the highest of that run.")
    private @Nullable Path capacities;

    @Option(
            names = "--shares",
            split = ",",
            defaultValue = "50,80",
            description = "Shares of the throughput in --capacities (default: ${DEFAULT-VALUE}).")
    List<Integer> shares = List.of();

    @Option(
            names = "--round-trip",
            split = ",",
            defaultValue = "0",
            description = "Added round trips to the server in microseconds (default: ${DEFAULT-VALUE}).")
    List<Integer> roundTrips = List.of();

    @Option(
            names = "--warm-up",
            description =
                    "Seconds before the measurement, at the same load (default: 10; with fewer, figures are void).")
    int warmUp = 10;

    @Option(names = "--window", description = "Seconds of the measurement (default: 30; quick 5).")
    int window;

    private @Nullable Forks earlier;

    /** Returns the number of callers, after reading the earlier run, if any. */
    int callers(int otherwise, Profile profile) {
        if (capacities == null) {
            return otherwise;
        }
        earlier = new Forks(ForkFile.read(capacities.resolve(ForkFile.NAME)), Clients.NAME, profile);
        return earlier.all().stream()
                .mapToInt(fork -> fork.key().condition().threads())
                .max()
                .orElse(otherwise);
    }

    /** Returns each cell under each load. */
    List<Plan.Cell> of(List<Plan.Cell> clients, boolean isQuick) {
        List<Integer> offered = isQuick && rates.size() > 2 ? QUICK_RATES : rates;
        return roundTrips.stream()
                .flatMap(micros -> clients.stream()
                        .flatMap(cell -> loads(cell, offered)
                                .map(load -> micros == 0 ? load : load.with(Condition.ROUND_TRIP, micros + "us"))
                                .map(load -> new Plan.Cell(cell.arm(), load))))
                .toList();
    }

    private Stream<Condition> loads(Plan.Cell cell, List<Integer> offered) {
        Condition condition = cell.condition();
        if (earlier == null) {
            return offered.stream().map(rate -> condition.with(Condition.RATE, rate));
        }
        double capacity = earlier.median(cell.arm(), condition, Metric.THROUGHPUT);
        if (!(capacity > 0)) {
            throw new BenchException(capacities + " has no throughput of " + cell.arm() + " for " + condition.label()
                    + ": measure it with 'bench/run full', or change --contenders, --threads or --profile");
        }
        return shares.stream()
                .map(share -> condition
                        .with(Condition.SHARE, share)
                        .with(Condition.RATE, Math.max(1, Math.round(capacity * share / 100))));
    }
}
