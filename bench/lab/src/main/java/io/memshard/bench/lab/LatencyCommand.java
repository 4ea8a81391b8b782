// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.page.LabData;
import io.memshard.bench.lab.page.LatencyTable;
import io.memshard.bench.lab.run.Blocks;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.venus.OfferedLoad;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.server.Keyspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench/run latency}: measures how long a request takes with each client at given loads. Each fork runs one
 * client at one load.
 */
@Command(
        name = "latency",
        description = "Measures how long a get takes at given loads (an open loop), with each client. Stores keys named"
                + " bench:... on the server.")
final class LatencyCommand extends BenchCommand {

    private static final int MOST_THREADS = 2000;
    private static final int MOST_RATE = 1_000_000;
    private static final int LARGEST_VALUE = 1_000_000;

    @Option(
            names = "--profile",
            description = "cloud (a pool of 20) or physical (a pool of 100); default: ${DEFAULT-VALUE}.")
    private Profile profile = Profile.CLOUD;

    @Option(names = "--server", paramLabel = "host:port", description = "Your memcached (default: a new one).")
    private String server = "";

    @Option(
            names = "--rates",
            split = ",",
            paramLabel = "N",
            defaultValue = "5000,10000,20000,35000,50000",
            description = "Requests a second, each a load of its own (default: ${DEFAULT-VALUE}).")
    private List<Integer> rates = List.of();

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            description = "Which clients (default: all; with --quick connection, template, xmemcached, memshard).")
    private List<String> contenders = List.of();

    @Option(names = "--threads", description = "Blocking callers (default: ${DEFAULT-VALUE}).")
    private int threads = 64;

    @Option(names = "--value-size", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueSize = 100;

    @Option(names = "--blocks", description = "Forks of each client at each load (default: 10; quick 1).")
    private int blocks;

    @Option(
            names = "--warm-up",
            description =
                    "Seconds before the measurement, at the same load (default: 10; with fewer, figures are void).")
    private int warmUp;

    @Option(names = "--window", description = "Seconds of the measurement (default: 30; quick 5).")
    private int window;

    @Option(names = "--quick", description = "Three minutes: four clients, two loads.")
    private boolean quick;

    @Option(names = "--anyway", description = "Measure on a busy machine too.")
    private boolean anyway;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the data; one that is there goes on.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        check("--threads", threads, 1, MOST_THREADS);
        check("--value-size", valueSize, Keyspace.LEAST_VALUE, LARGEST_VALUE);
        rates.forEach(rate -> check("--rates", rate, 1, MOST_RATE));
        OfferedLoad load = load();
        for (String contender : contenders) {
            if (!load.armNames().contains(contender)) {
                throw new BenchException(
                        "--contenders are of " + String.join(", ", load.armNames()) + ", not " + contender);
            }
        }
        Path folder = folder(out);
        LabPlan plan = new LabPlan(
                List.of(load),
                quick ? Size.QUICK : Size.FULL,
                List.of(profile),
                server,
                System.currentTimeMillis(),
                anyway);
        new Blocks(plan, folder, LabCommand.VARIANTS, ArmBenchmark.class, out()).run(typed(), "none");
        out().println();
        out().print(LatencyTable.of(LabData.read(folder)));
        out().flush();
        return 0;
    }

    private OfferedLoad load() {
        return new OfferedLoad(
                threads,
                valueSize,
                quick && rates.size() > 2 ? List.of(10_000, 35_000) : rates,
                quick && contenders.isEmpty()
                        ? List.of(OfferedLoad.BASELINE, "template", "xmemcached", OfferedLoad.MEMSHARD)
                        : contenders,
                blocks > 0 ? blocks : quick ? 1 : 10,
                Duration.ofSeconds(warmUp > 0 ? warmUp : 10),
                Duration.ofSeconds(window > 0 ? window : quick ? 5 : 30));
    }
}
