// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.locks.LockProfile.JmcVerdict;
import io.memshard.bench.locks.LockProfiler.Subject;
import io.memshard.bench.locks.LockReport.LockTable;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Run of all lock profiles of one plan, from the load to the files. These are {@code locks.json}, {@code locks.md}, and
 * a recording for each contender and number of threads.
 *
 * <p>Threading: confined to one thread. Failure: {@link UncheckedIOException} if a file cannot be
 * written, or the exceptions of the server and the contenders, each in one sentence.
 */
public final class LockRun {

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
        EnvironmentProbe probe = new EnvironmentProbe();
        out.printf(
                Locale.ROOT,
                "%d lock profiles of %d ms, not timed%n",
                plan.profiles(),
                plan.window().toMillis());
        List<LockProfile> profiles = new ArrayList<>();
        try {
            Keyspace keyspace = new Keyspace(LockPlan.KEYS, plan.valueSize());
            keyspace.fill(server);
            for (int threads : plan.threads()) {
                for (ContenderKind kind : plan.contenders()) {
                    LockProfile profile = profile(kind, threads, server, keyspace, folder);
                    profiles.add(profile);
                    tell(out, terminal, profiles.size(), profile);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the lock profiles: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while profiling", e));
        }
        LockReport report = new LockReport(
                probe.environment(server, command), plan.window().toMillis(), plan.valueSize(), profiles);
        report.write(folder);
        String table = LockTable.of(report);
        TextFile.write(folder.resolve("locks.md"), table);
        out.print((terminal ? "\r\033[K" : "") + "\n" + table);
        out.println("- recordings and raw data: " + folder);
        return report;
    }

    private LockProfile profile(ContenderKind kind, int threads, BenchServer server, Keyspace keyspace, Path folder)
            throws IOException, InterruptedException {
        ContenderSettings settings = new ContenderSettings(server.address(), plan.connections(), plan.poolSize());
        Subject subject = new Subject(kind.label(), kind.sockets(settings, threads), threads);
        Path recording = folder.resolve(subject.recordingName());
        try (Contender contender = kind.open(settings)) {
            new LockProfiler(plan.warmUp(), plan.window())
                    .record(subject, caller -> reader(contender, keyspace, caller), recording);
        }
        return RecordingReader.read(recording, verdicts(recording)).profile();
    }

    private static ProfiledLoad.Call reader(Contender contender, Keyspace keyspace, int caller) {
        SplittableRandom random = new SplittableRandom(caller);
        return number -> {
            int key = random.nextInt(keyspace.size());
            return keyspace.isValueOf(key, contender.get(keyspace.key(key)));
        };
    }

    /**
     * Returns the verdicts of JMC. If JMC fails, returns the failure as a verdict, because the verdicts are optional.
     */
    private static List<JmcVerdict> verdicts(Path recording) {
        try {
            return JmcRules.judge(recording);
        } catch (IOException | RuntimeException e) {
            return List.of(new JmcVerdict("JMC", "NA", -1, "could not judge the recording: " + e));
        }
    }

    private void tell(PrintWriter out, boolean terminal, int done, LockProfile profile) {
        String line = String.format(
                Locale.ROOT,
                "[%d/%d] %3d threads: %-30s waits for 1,000 operations: lock %.1f, pool %.1f, reply %.1f",
                done,
                plan.profiles(),
                profile.threads(),
                profile.contender(),
                profile.bucket(WaitBucket.LOCK).waitsPerThousand(),
                profile.bucket(WaitBucket.POOL_EXHAUSTED).waitsPerThousand(),
                profile.bucket(WaitBucket.REPLY).waitsPerThousand());
        if (terminal) {
            out.print("\r\033[K" + line);
        } else {
            out.println(line);
        }
        out.flush();
    }
}
