// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.table.ComparisonTables;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/**
 * One comparison from its options to its files, which {@link ComparisonFiles} describes.
 *
 * <p>Threading: confined to one thread. Failure: {@link ComparisonException} or the exceptions of the
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
     * Compares and writes.
     *
     * @param server to measure with
     * @param folder for the files, created if it is not there
     * @param command what was typed
     * @param out for progress and the tables
     * @param terminal whether {@code out} is a terminal on which a line can be written over
     */
    public ComparisonResult run(BenchServer server, Path folder, String command, PrintWriter out, boolean terminal) {
        checkConnections(server);
        EnvironmentProbe probe = new EnvironmentProbe();
        out.printf(
                Locale.ROOT,
                "%s%n%d slices of %d ms, about %d s; seed %d%n",
                server.source(),
                plan.slices(),
                plan.slice().toMillis(),
                plan.length().toSeconds(),
                plan.seed());
        Progress progress = new Progress(out, terminal, plan.slices());
        Comparison comparison = new Comparison(plan, server, progress);
        try {
            comparison.run();
        } finally {
            progress.end();
        }
        ComparisonResult result = new ComparisonResult(
                probe.environment(server, options.hasSeed() ? command : command + " --seed " + plan.seed()),
                plan.toResult(),
                comparison.slices());
        ComparisonFiles.write(folder, result);
        out.println();
        out.print(ComparisonTables.details(result));
        out.print(ComparisonTables.environment(result));
        out.println("- raw data: " + folder.resolve(ComparisonFiles.SLICES));
        out.flush();
        return result;
    }

    /** All contenders are connected at the same time; better to say now that the server will refuse. */
    private void checkConnections(BenchServer server) {
        int most = server.mostConnections().orElse(Integer.MAX_VALUE);
        for (Condition condition : plan.conditions()) {
            int needed = plan.socketsFor(condition, server.addresses());
            if (needed > most - SPARE_CONNECTIONS) {
                throw new ComparisonException(condition.title() + " needs " + needed
                        + " connections and the server takes " + most
                        + ": start one with a higher -c and name it by --server, or lower --threads");
            }
        }
    }
}
