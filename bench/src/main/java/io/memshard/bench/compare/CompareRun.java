// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.machine.BusyCheck;
import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.table.ComparisonTables;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Run of a comparison, from its options to its files, which {@link ComparisonFiles} describes. Each fork gets a
 * separate server, unless the user named one. Memcached assigns each new connection to a worker thread, and this
 * assignment must vary as well.
 *
 * <p>Threading: confined to one thread. Failure: {@link BenchException} or the exceptions of the server and the
 * contenders, each in one sentence.
 */
public final class CompareRun {

    /** Number of connections reserved for other clients of the server, including this program's. */
    private static final int SPARE_CONNECTIONS = 10;

    private static final String ERASE_LINE = "\r\033[K";

    private final CompareOptions options;
    private final ComparePlan plan;

    /** Checks {@code options}. After that, the run can fail only because of the server or the machine. */
    public CompareRun(CompareOptions options) {
        this.options = options;
        this.plan = options.toPlan();
    }

    /**
     * Compares the contenders, and writes the results so far into {@code folder} after each fork. On a {@code terminal}
     * a line of progress replaces the line before it.
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
        checkServer(out);
        String busy = awaitQuiet(out);
        String repeatable = options.hasSeed() ? command : command + " --seed " + plan.seed();
        EnvironmentProbe probe = new EnvironmentProbe();
        List<SliceResult> slices = new ArrayList<>();
        ComparisonResult result = null;
        for (int fork = 1; fork <= plan.forks(); fork++) {
            try (BenchServer server = options.findServer()) {
                Comparison.Task task = new Comparison.Task(fork, plan, server.addresses(), server.pids());
                slices.addAll(fork(task, folder.resolve("fork"), line -> show(out, terminal, line)));
                result = new ComparisonResult(
                        probe.environment(server, repeatable), plan.toResult(busy), List.copyOf(slices));
                ComparisonFiles.write(folder, result);
            } finally {
                out.print(terminal ? ERASE_LINE : "");
                out.flush();
            }
        }
        if (result == null) {
            throw new BenchException("there was no fork");
        }
        out.println();
        out.print(ComparisonTables.details(result));
        out.print(ComparisonTables.environment(result));
        out.println("- raw data: " + folder.resolve(ComparisonFiles.SLICES));
        return result;
    }

    /** Shows a line of a fork. On a terminal, lines with a counter overwrite each other. */
    private static void show(PrintWriter out, boolean terminal, String line) {
        if (!terminal) {
            out.println(line);
        } else {
            out.print(ERASE_LINE + line + (line.startsWith(Comparison.COUNTER) ? "" : System.lineSeparator()));
        }
        out.flush();
    }

    /**
     * Runs a fork in a new JVM with the flags and the class path of this one. Returns the slices of the fork. If the fork fails, throws {@link BenchException} with the last line of
     * its output.
     */
    static List<SliceResult> fork(Comparison.Task task, Path folder, Consumer<String> line) {
        Path slices = folder.resolve(ComparisonFiles.SLICES);
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        List<String> command =
                JavaCommand.of(flags, JavaCommand.ownClassPath(), Comparison.class.getName(), folder.toString());
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(slices);
            TextFile.writeJson(folder.resolve(JavaCommand.TASK), task);
            await(new ProcessBuilder(command).redirectErrorStream(true).start(), task, line);
            List<SliceResult> found = ComparisonFiles.readSlices(slices);
            Files.delete(slices);
            Files.deleteIfExists(folder.resolve(JavaCommand.TASK));
            Files.delete(folder);
            return found;
        } catch (IOException e) {
            throw new BenchException("cannot run fork " + task.fork() + ": " + e.getMessage(), e);
        }
    }

    private static void await(Process fork, Comparison.Task task, Consumer<String> line) throws IOException {
        String last = "it said nothing";
        try (BufferedReader out = fork.inputReader(StandardCharsets.UTF_8)) {
            for (String next = out.readLine(); next != null; next = out.readLine()) {
                line.accept(next);
                last = next;
            }
            if (fork.waitFor() != 0) {
                throw new BenchException("fork " + task.fork() + " failed: " + last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        } finally {
            fork.destroyForcibly();
        }
    }

    /** Fails early, before the wait for a quiet machine, if the forks would not find a server. */
    private void checkServer(PrintWriter out) {
        try (BenchServer server = options.findServer()) {
            checkConnections(server);
            out.println(server.source());
        }
    }

    /**
     * Waits for a quiet machine. Returns the other work of the machine: a quick run continues on a busy one, and its
     * tables say so.
     */
    private String awaitQuiet(PrintWriter out) {
        return String.join(
                "; ",
                BusyCheck.require(
                        options.isQuick() || options.isAnyway(), "measure all the same by --anyway", out::println));
    }

    private static String text(Duration duration) {
        return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }

    /** Fails early if the server would refuse connections, because all contenders are connected at the same time. */
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
