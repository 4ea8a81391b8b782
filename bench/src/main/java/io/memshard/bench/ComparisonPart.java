// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchPart;
import io.memshard.bench.command.Marker;
import io.memshard.bench.report.ReportRun;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.table.ComparisonTables;
import io.memshard.bench.table.JmhTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The comparison of clients, with lock profiles and JMH. Its markers; a path is relative to the page:
 *
 * <table>
 * <caption>Markers</caption>
 * <tr><td>{@code <!-- ratios FOLDER -->}<td>a line for each contender, a column for each condition
 * <tr><td>{@code <!-- ratios FOLDER to NAME of NAME NAME -->}<td>the same with another baseline and only the contenders
 *     that are named; either part may be left out
 * <tr><td>{@code <!-- cores FOLDER of NAME NAME -->}<td>operations a second of CPU time of client and server; all
 *     contenders if none is named
 * <tr><td>{@code <!-- fairness FOLDER of NAME NAME -->}<td>Jain's index and the longest wait, in the same way
 * <tr><td>{@code <!-- losses FOLDER -->}<td>every cell in which another contender is ahead of Memshard
 * <tr><td>{@code <!-- details FOLDER -->}<td>all figures, a table for each condition
 * <tr><td>{@code <!-- environment FOLDER -->}<td>machine, commit and command
 * <tr><td>{@code <!-- chart FOLDER to FILE -->}<td>throughput over threads as an image, which is written to FILE
 * <tr><td>{@code <!-- jmh FILE of METRIC -->}<td>the rows of a file that JMH wrote whose benchmark ends with METRIC
 * </table>
 *
 * <p>Threading: stateless.
 */
public final class ComparisonPart implements BenchPart {

    @Override
    public List<Callable<Integer>> commands() {
        return List.of(
                new CompareCommand(), new LocksCommand(), new ReportCommand(), new TablesCommand(), new JmhCommand());
    }

    @Override
    public List<String> pages() {
        return List.of("benchmarks", "adr/0010-serializers");
    }

    @Override
    public Map<String, Function<Marker, String>> markers() {
        return Map.of(
                "ratios", ComparisonPart::ratios,
                "cores", marker -> ComparisonTables.cores(result(marker), marker.after("of")),
                "fairness", marker -> ComparisonTables.fairness(result(marker), marker.after("of")),
                "losses", marker -> ComparisonTables.losses(result(marker)),
                "details", marker -> ComparisonTables.details(result(marker)).stripTrailing() + "\n",
                "environment", marker -> ComparisonTables.environment(result(marker)),
                "chart", marker -> marker.image("Throughput over threads", ReportRun.chart(result(marker))),
                "jmh", marker -> JmhTable.of(CsvRow.read(marker.data()), marker.only("of", "METRIC")));
    }

    private static ComparisonResult result(Marker marker) {
        return ComparisonFiles.read(marker.data());
    }

    private static String ratios(Marker marker) {
        ComparisonResult result = result(marker);
        String baseline = marker.after("to").isEmpty() ? result.plan().baseline() : marker.only("to", "NAME");
        return ComparisonTables.ratios(result, baseline, marker.after("of"));
    }

    @Override
    public boolean report(Path folder, PrintWriter out) {
        return ReportRun.run(folder, out);
    }
}
