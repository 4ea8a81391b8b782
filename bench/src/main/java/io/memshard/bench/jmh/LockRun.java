// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.locks.LoadEvent;
import io.memshard.bench.locks.LockPlan;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.locks.LockReport.Judged;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.server.BenchServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.JavaFlightRecorderProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Run of lock profiles: {@link GetBenchmark} under JMH's {@code jfr} profiler with the settings of {@code locks.jfc}, a
 * fork for each contender and number of threads. Writes a recording for each, a table of its waits beside it, and
 * {@code locks.md} with a line for each. The runs are not timed: with thresholds of 0 ms each wait writes an event.
 *
 * <p>Threading: confined to one thread. Failure: {@link java.io.UncheckedIOException} naming a file. A contender that
 * fails has no profile.
 */
public final class LockRun {

    /** Memory of the recorder, so that it drops no events if callers outnumber processors. */
    private static final String RECORDER =
            "-XX:FlightRecorderOptions:globalbuffersize=512k,numglobalbuffers=256,threadbuffersize=64k";

    private final LockPlan plan;

    /** Creates a run of the profiles of {@code plan}. */
    public LockRun(LockPlan plan) {
        this.plan = plan;
    }

    /**
     * Profiles the plan on {@code server} and writes the results into {@code folder}. On a {@code terminal} a line of
     * progress replaces the line before it.
     */
    public LockReport run(BenchServer server, Path folder, String command, PrintWriter out, boolean terminal) {
        out.printf(
                Locale.ROOT,
                "%d lock profiles of %d ms, not timed%n",
                plan.profiles(),
                plan.window().toMillis());
        List<Judged> profiles = new ArrayList<>();
        for (int threads : plan.threads()) {
            for (ContenderKind kind : plan.contenders()) {
                out.print(terminal ? "\r\033[K" : "");
                String name = "locks-" + kind.label() + "-t" + threads;
                try {
                    Judged judged = profile(kind, threads, server, folder.resolve(name + ".jfr"));
                    TextFile.write(folder.resolve(name + ".md"), judged.places());
                    profiles.add(judged);
                    out.print(name + (terminal ? "" : "\n"));
                } catch (IOException | RunnerException e) {
                    out.println(name + " did not run: " + e.getMessage());
                }
                out.flush();
            }
        }
        LockReport report = new LockReport(profiles);
        TextFile.write(folder.resolve("locks.md"), report.table() + "- again: `" + command + "`\n");
        out.print((terminal ? "\r\033[K" : "") + "\n" + report.table());
        out.println("- recordings, each with its table: " + folder);
        return report;
    }

    private Judged profile(ContenderKind kind, int threads, BenchServer server, Path recording)
            throws IOException, RunnerException {
        Path work = Files.createTempDirectory("locks");
        try {
            Path settings = work.resolve("locks.jfc");
            TextFile.write(settings, TextFile.resource(LoadEvent.class, "locks.jfc"));
            new Runner(new OptionsBuilder()
                            .include(Pattern.quote(GetBenchmark.class.getName()) + "\\.get$")
                            .mode(Mode.Throughput)
                            .threads(threads)
                            .forks(1)
                            .warmupIterations(1)
                            .warmupTime(TimeValue.milliseconds(plan.window().toMillis() / 2))
                            .measurementIterations(1)
                            .measurementTime(
                                    TimeValue.milliseconds(plan.window().toMillis()))
                            .param("contender", kind.name())
                            .param("poolSize", String.valueOf(plan.poolSize()))
                            .jvmArgsAppend(RECORDER, "-D" + OpenContender.SERVER + "=" + server.hostAndPort())
                            .addProfiler(JavaFlightRecorderProfiler.class, "dir=" + work + ";configName=" + settings)
                            .verbosity(VerboseMode.SILENT)
                            .shouldFailOnError(true)
                            .build())
                    .run();
            Files.createDirectories(recording.toAbsolutePath().getParent());
            Files.move(recorded(work), recording, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            delete(work);
        }
        return Judged.read(recording);
    }

    private static Path recorded(Path work) throws IOException {
        try (Stream<Path> files = Files.walk(work)) {
            return files.filter(file -> file.toString().endsWith(".jfr"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("there is no recording; is there a JDK with jcmd?"));
        }
    }

    private static void delete(Path work) throws IOException {
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
