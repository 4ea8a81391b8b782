// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.page.LabData;
import io.memshard.bench.lab.page.LatencyTable;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.venus.OfferedLoad;
import io.memshard.bench.server.Keyspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private RunOptions options = new RunOptions();

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

    @Option(
            names = "--warm-up",
            description =
                    "Seconds before the measurement, at the same load (default: 10; with fewer, figures are void).")
    private int warmUp = 10;

    @Option(names = "--window", description = "Seconds of the measurement (default: 30; quick 5).")
    private int window;

    @Override
    public Integer call() {
        options.check("--threads", threads, 1, MOST_THREADS);
        options.check("--value-size", valueSize, Keyspace.LEAST_VALUE, LARGEST_VALUE);
        options.checkEach("--rates", rates, 1, MOST_RATE);
        OfferedLoad load = load(options.isQuick());
        for (String contender : contenders) {
            if (!load.armNames().contains(contender)) {
                throw options.wrong("--contenders may be " + String.join(", ", load.armNames()) + ", not " + contender);
            }
        }
        Path folder = options.folder();
        LabPlan plan = new LabPlan(
                List.of(load),
                options.isQuick() ? Size.QUICK : Size.FULL,
                options.profiles(),
                options.server(),
                options.seed(),
                options.mayBeBusy());
        LabCommand.blocks(plan, folder, out()).run(typed(), "none");
        out().println();
        out().print(LatencyTable.of(LabData.read(folder)));
        out().flush();
        return 0;
    }

    private OfferedLoad load(boolean quick) {
        return new OfferedLoad(
                threads,
                valueSize,
                quick && rates.size() > 2 ? List.of(10_000, 35_000) : rates,
                quick && contenders.isEmpty()
                        ? List.of(OfferedLoad.BASELINE, "template", "xmemcached", OfferedLoad.MEMSHARD)
                        : contenders,
                options.blocks(quick ? 1 : 10),
                Duration.ofSeconds(warmUp),
                Duration.ofSeconds(window > 0 ? window : quick ? 5 : 30));
    }
}
