// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.run.LabRun;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.lab.venus.Advice;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.table.MarkdownTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench/run advise}: measures settings of Memshard on the machine and server of a user and says which to take.
 * Usually that is the default.
 *
 * <p>The first round compares all settings. The second round measures the winner and the default again, in fresh forks,
 * because the best result of many is partly luck. Unless the winner leads the second round by more than the margin, the
 * command reports no difference.
 */
@Command(
        name = "advise",
        description = "Measures settings of Memshard with your server for some minutes and says which to take. Stores"
                + " keys named bench:... on that server.")
final class AdviseCommand extends BenchCommand {

    private static final Margin MARGIN = new Margin(0.1);
    private static final int LARGEST_VALUE = 1_000_000;
    private static final int MOST_THREADS = 2000;

    @Option(names = "--server", required = true, paramLabel = "host:port", description = "Your memcached.")
    private String server = "";

    @Option(
            names = "--threads",
            description = "Threads that call at once, or gets under way of an asynchronous program (default:"
                    + " ${DEFAULT-VALUE}).")
    private int threads = 64;

    @Option(names = "--value-size", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueSize = 1024;

    @Option(names = "--quick", description = "Two minutes instead of five: sees large differences only.")
    private boolean quick;

    @Option(names = "--full", description = "A quarter of an hour: sees smaller differences.")
    private boolean full;

    @Option(names = "--anyway", description = "Measure on a busy machine too.")
    private boolean anyway;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the data.")
    private @Nullable Path out;

    private record Effort(int blocksOfAll, int blocksOfTwo, Duration window) {}

    @Override
    public Integer call() {
        check("--threads", threads, 1, MOST_THREADS);
        check("--value-size", valueSize, Keyspace.LEAST_VALUE, LARGEST_VALUE);
        if (quick && full) {
            throw new BenchException("--quick and --full: give one of them");
        }
        try (BenchServer found = BenchServer.find(server)) {
            out().printf(
                            "memcached %s at %s, %.0f us there and back%n",
                            found.version(), found.hostAndPort(), found.roundTripMicros());
        }
        advise(effort(), folder(out));
        return 0;
    }

    private Effort effort() {
        if (quick) {
            return new Effort(2, 5, Duration.ofMillis(500));
        }
        return full ? new Effort(6, 20, Duration.ofSeconds(2)) : new Effort(3, 8, Duration.ofSeconds(1));
    }

    private void advise(Effort effort, Path folder) {
        Advice all = new Advice(threads, valueSize, List.of(), effort.blocksOfAll, effort.window);
        out().println("first round: all settings");
        Forks first = measured(all, folder.resolve("all"), folder);
        out().print(table(all, first));
        Advice two = new Advice(threads, valueSize, List.of(winner(all, first)), effort.blocksOfTwo, effort.window);
        out().println("\nsecond round: the first of these against the default, in fresh JVMs");
        Forks second = measured(two, folder.resolve("winner"), folder);
        out().print(table(two, second));
        out().println("\n" + sentence(two, second));
    }

    private Forks measured(Advice round, Path own, Path folder) {
        LabPlan plan =
                new LabPlan(List.of(round), Size.QUICK, List.of(Profile.PHYSICAL), server, System.nanoTime(), anyway);
        new LabRun(plan, own, new VariantFolder(folder.resolve("variants")), ForkMain.class.getName(), out())
                .run(typed(), "none");
        return new Forks(ForkFile.read(own.resolve(ForkFile.NAME)), round.name(), Profile.PHYSICAL);
    }

    /** Returns a table of a round's settings with ratios and intervals: the fastest first, the default last. */
    static String table(Advice round, Forks forks) {
        List<String> arms = new ArrayList<>(ranked(round, forks));
        arms.add(Advice.DEFAULT);
        Condition usual = round.conditionOf(Advice.DEFAULT);
        return "\n"
                + new MarkdownTable<String>("---:")
                        .text("settings", arm -> round.arm(arm).description())
                        .number(
                                "times the default",
                                arm -> arm.equals(Advice.DEFAULT)
                                        ? "1"
                                        : ratio(round, forks, arm).text())
                        // In an asynchronous arm a cycle takes a reply that came long before, so its time is no
                        // latency.
                        .number(
                                "p99, us",
                                arm -> round.conditionOf(arm).equals(usual)
                                        ? String.format(Locale.ROOT, "%,.0f", forks.median(arm, usual, "p99_us"))
                                        : "-")
                        .number(
                                "client CPU a get, us",
                                "%.1f",
                                arm -> forks.median(arm, round.conditionOf(arm), "client_cpu_us"))
                        .of(arms);
    }

    /** Returns the arm that is furthest ahead of the default. */
    static String winner(Advice round, Forks forks) {
        return ranked(round, forks).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no setting could be measured; see " + ForkFile.NAME));
    }

    private static List<String> ranked(Advice round, Forks forks) {
        return round.candidates().stream()
                .filter(arm -> !pairs(round, forks, arm).isEmpty())
                .sorted(Comparator.comparingDouble(
                                (String arm) -> ratio(round, forks, arm).mid())
                        .reversed())
                .toList();
    }

    /** Returns a sentence that recommends settings, judged by the second round. */
    static String sentence(Advice round, Forks forks) {
        String arm = round.candidates().get(0);
        if (pairs(round, forks, arm).isEmpty()) {
            return "Take the default: " + arm + " could not be measured a second time.";
        }
        Interval ratio = ratio(round, forks, arm);
        String figures = ratio.text() + " times the default";
        return MARGIN.of(ratio) == Margin.Position.ABOVE
                ? "Take " + round.arm(arm).description() + ": " + figures + "."
                : "No difference: keep the default. The best of the others, "
                        + round.arm(arm).description() + ", has "
                        + figures + "; four runs of five would have seen "
                        + String.format(Locale.ROOT, "%.2f", MARGIN.smallestVisible(ratio)) + ".";
    }

    private static Interval ratio(Advice round, Forks forks, String arm) {
        return PairedRatio.of(pairs(round, forks, arm), Bootstrap.STANDARD);
    }

    private static List<PairedRatio.Block> pairs(Advice round, Forks forks, String arm) {
        return forks.pairs(
                arm, Advice.DEFAULT, round.conditionOf(arm), round.conditionOf(Advice.DEFAULT), Metric.THROUGHPUT);
    }
}
