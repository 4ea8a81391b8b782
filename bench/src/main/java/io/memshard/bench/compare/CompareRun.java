// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.machine.BusyCheck;
import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.table.ComparisonTables;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One comparison from its options to its files, which {@link ComparisonFiles} describes. Each fork gets a server of its
 * own, unless one was named: memcached deals its connections to its workers when they connect, and that too must be
 * drawn again.
 *
 * <p>Threading: confined to one thread. Failure: {@link BenchException} or the exceptions of the
 * server and the contenders, each in one sentence.
 */
public final class CompareRun {

    /** For other connections to the server, among them our own. */
    private static final int SPARE_CONNECTIONS = 10;

    private final CompareOptions options;
    private final ComparePlan plan;

    /** Checks {@code options}; afterwards nothing but server and machine can stand in the way. */
    public CompareRun(CompareOptions options) {
        this.options = options;
        this.plan = options.toPlan();
    }

    /**
     * Compares and writes. What the forks found so far is written after each of them.
     *
     * @param folder for the files, created if it is not there
     * @param command what was typed
     * @param out for progress and the tables
     * @param terminal whether {@code out} is a terminal on which a line can be written over
     */
    public ComparisonResult run(Path folder, String command, PrintWriter out, boolean terminal) {
        out.printf(
                Locale.ROOT,
                "%d forks, %d contenders, %d conditions, %d rounds of %d ms slices: about %s; seed %d%n",
                plan.forks(),
                plan.participants().size(),
                plan.conditions().size(),
                plan.rounds(),
                plan.slice().toMillis(),
                text(plan.length()),
                plan.seed());
        out.flush();
        checkServer(out);
        String busy = awaitQuiet(out);
        String repeatable = options.hasSeed() ? command : command + " --seed " + plan.seed();
        EnvironmentProbe probe = new EnvironmentProbe();
        ProgressLine progress = new ProgressLine(out, terminal);
        List<SliceResult> slices = new ArrayList<>();
        ComparisonResult result = null;
        for (int fork = 1; fork <= plan.forks(); fork++) {
            try (BenchServer server = options.findServer()) {
                CompareTask task = new CompareTask(fork, plan, server.addresses(), server.pids());
                slices.addAll(ForkJvm.run(task, folder.resolve("fork"), progress::show));
                result = new ComparisonResult(
                        probe.environment(server, repeatable), plan.toResult(busy), List.copyOf(slices));
                ComparisonFiles.write(folder, result);
            } finally {
                progress.end();
            }
        }
        if (result == null) {
            throw new BenchException("there was no fork");
        }
        out.println();
        out.print(ComparisonTables.details(result));
        out.print(ComparisonTables.environment(result));
        out.println("- raw data: " + folder.resolve(ComparisonFiles.SLICES));
        out.flush();
        return result;
    }

    /** Better to say before the machine is waited for that no fork will find its server. */
    private void checkServer(PrintWriter out) {
        try (BenchServer server = options.findServer()) {
            checkConnections(server);
            out.println(server.source());
            out.flush();
        }
    }

    /** A quick run goes on all the same, and its tables say so. */
    private String awaitQuiet(PrintWriter out) {
        return String.join(
                "; ",
                BusyCheck.require(options.isQuick() || options.anyway(), "measure all the same by --anyway", line -> {
                    out.println(line);
                    out.flush();
                }));
    }

    private static String text(Duration duration) {
        return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }

    /** All contenders are connected at the same time; better to say now that the server will refuse. */
    private void checkConnections(BenchServer server) {
        int most = server.mostConnections().orElse(Integer.MAX_VALUE);
        for (Condition condition : plan.conditions()) {
            int needed = plan.socketsFor(condition, server.addresses());
            if (needed > most - SPARE_CONNECTIONS) {
                throw new BenchException(condition.title() + " needs " + needed
                        + " connections and the server takes " + most
                        + ": start one with a higher -c and name it by --server, or lower --threads");
            }
        }
    }
}
