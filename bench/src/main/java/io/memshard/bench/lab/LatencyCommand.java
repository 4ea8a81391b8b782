// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.lab.page.LabData;
import io.memshard.bench.lab.page.LatencyTable;
import java.nio.file.Path;
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

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(
            names = "--rates",
            split = ",",
            paramLabel = "N",
            defaultValue = "5000,10000,20000,35000,50000",
            description = "Requests a second, each measured separately (default: ${DEFAULT-VALUE}).")
    private List<Integer> rates = List.of();

    @Option(
            names = "--warm-up",
            description =
                    "Seconds before the measurement, at the same load (default: 10; with fewer, figures are void).")
    private int warmUp = 10;

    @Option(names = "--window", description = "Seconds of the measurement (default: 30; quick 5).")
    private int window;

    @Override
    public Integer call() {
        Path folder = options.folder();
        LabCommand.blocks(options.toLatency(rates, warmUp, window), folder, out())
                .run(typed(), "none");
        out().println();
        out().print(LatencyTable.of(LabData.read(folder)));
        out().flush();
        return 0;
    }
}
