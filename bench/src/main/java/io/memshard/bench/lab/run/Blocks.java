// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.experiment.Variants;
import io.memshard.bench.lab.run.ForkProfiler.Task;
import io.memshard.bench.lab.run.LabPlan.Schedule;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.server.PlainSocket;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Run of a plan. Each fork's result is stored at once, so that an interrupted run can continue. */
public final class Blocks {

    public static final List<String> FORK_FLAGS =
            List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC", "-Xss256k");

    private static final int MOST_FAILED_FIRST = 8;
    private static final long PATIENCE_SECONDS = 120;

    /** Memory of the flight recorder, which by default drops events if callers outnumber processors. */
    private static final String RECORDER_MEMORY =
            "-XX:FlightRecorderOptions=numglobalbuffers=256,globalbuffersize=512k,threadbuffersize=64k";

    private static final String CLASS_PATH = "java.class.path";

    /** Oldest Java version that warns about the native library of Netty. */
    private static final int NATIVE_ACCESS_SINCE = 22;

    private final LabPlan plan;
    private final Path folder;
    private final Variants variants;
    private final Class<?> benchmark;
    private final PrintWriter out;
    private final Set<ForkKey> ran = new HashSet<>();
    private int before;
    private int all;
    private int failed;
    private long startNanos;

    public Blocks(LabPlan plan, Path folder, Variants variants, Class<?> benchmark, PrintWriter out) {
        this.plan = plan;
        this.folder = folder;
        this.variants = variants;
        this.benchmark = benchmark;
        this.out = out;
    }

    /** Runs the forks that have no result yet. {@code claims} is the hash of the file with the claims. */
    public void run(String command, String claims) {
        if (!plan.server().isEmpty()) {
            PlainSocket.roundTripMicros(plan.server()); // Fails early if no memcached answers there.
        }
        // Maven runs before the check, because fetching keeps the machine busy.
        variants.resolve(plan.experiments().stream().flatMap(experiment -> experiment.arms().stream()));
        boolean mayBeBusy = plan.anyway() || plan.size() == Experiment.Size.QUICK;
        List<String> busy = BusyCheck.require(mayBeBusy, "add --anyway to measure without a verdict", out::println);
        List<Schedule> schedules = resume(command, claims, busy).schedules();
        startNanos = System.nanoTime();
        before = ran.size();
        for (Schedule schedule : schedules) {
            all += schedule.forks().size();
            out.println(schedule.line() + "; "
                    + Processors.of(schedule.profile(), schedule.needsServer()).label());
        }
        if (before > 0) {
            out.println(before + " of " + all + " forks have results already");
        }
        for (Schedule schedule : schedules) {
            for (ForkKey key : schedule.forks()) {
                if (!ran.contains(key) && isDisturbed(run(schedule, key, 1))) {
                    run(schedule, key, 2);
                }
            }
        }
        String time = text(Duration.ofNanos(System.nanoTime() - startNanos));
        out.printf("%d forks in %s, %d of them did not run%n", ran.size() - before, time, failed);
    }

    private static boolean isDisturbed(ForkResult fork) {
        return !fork.key().profiled() && fork.isThere() && fork.get(Measure.STEAL) > BusyCheck.MOST_STEAL;
    }

    private LabPlan resume(String command, String claims, List<String> busy) {
        Path file = folder.resolve(RunFacts.NAME);
        if (!Files.exists(file)) {
            facts(plan, command, claims, busy).write(file);
            return plan;
        }
        RunFacts before = RunFacts.read(file);
        LabPlan same = plan.withSeed(Long.parseLong(before.get("seed")));
        List<String> differences = before.differencesFrom(facts(same, command, claims, busy));
        if (!differences.isEmpty()) {
            throw new BenchException(folder + " contains a different run (" + String.join("; ", differences)
                    + "): set another folder with --out");
        }
        if (!busy.isEmpty() && before.get("busy").isEmpty()) {
            throw new BenchException("the machine is busy (" + String.join("; ", busy) + "), but the run in " + folder
                    + " began on a quiet machine: wait until the machine is quiet");
        }
        Path forks = folder.resolve(ForkFile.NAME);
        if (Files.exists(forks)) {
            dropTornRow(forks);
            ForkFile.read(forks).forEach(fork -> ran.add(fork.key()));
        }
        return same;
    }

    /** Removes an incomplete last row, which an interrupted run may leave. */
    static void dropTornRow(Path file) {
        String text = TextFile.read(file);
        TextFile.write(file, text.substring(0, text.lastIndexOf('\n') + 1));
    }

    private static RunFacts facts(LabPlan plan, String command, String claims, List<String> busy) {
        Map<String, String> facts = Environment.now(command);
        facts.put("fork_flags", String.join(" ", forkFlags()));
        facts.put("size", plan.size().name().toLowerCase(Locale.ROOT));
        facts.put("profiles", plan.profiles().stream().map(Profile::label).collect(Collectors.joining(" ")));
        facts.put(
                "experiments", plan.experiments().stream().map(Experiment::name).collect(Collectors.joining(" ")));
        for (Profile profile : plan.profiles()) {
            String label = Processors.of(profile, true).label();
            facts.put("placement_" + profile.label(), label);
        }
        facts.put("server", servers(plan));
        facts.put("seed", String.valueOf(plan.seed()));
        facts.put("plan", plan.hash());
        facts.put("claims", claims);
        facts.put("busy", String.join("; ", busy));
        return new RunFacts(facts);
    }

    private static String servers(LabPlan plan) {
        boolean needsServer = plan.schedules().stream().anyMatch(Schedule::needsServer);
        Processors processors = Processors.of(plan.profiles().get(0), true);
        try (LabServer server = LabServer.start(needsServer ? Experiment.WORKERS : 0, plan.server(), processors)) {
            return server.description();
        } catch (BenchException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private ForkResult run(Schedule schedule, ForkKey key, int attempt) {
        ForkResult result;
        try {
            result = run(schedule, key);
        } catch (BenchException e) {
            result = ForkResult.failed(key, String.valueOf(e.getMessage()));
        }
        // The row is written last, because without it the recording does not count.
        ForkFile.append(folder.resolve(ForkFile.NAME), result.attempted(attempt));
        ran.add(key);
        failed += result.isThere() ? 0 : 1;
        long left = (System.nanoTime() - startNanos) / (ran.size() - before) * (all - ran.size());
        out.printf(
                "[%d/%d] block %d/%d %s: %s; %s left%n",
                ran.size(),
                all,
                key.block(),
                schedule.plan().blocks(),
                key.label(),
                result.isThere()
                        ? String.format(
                                Locale.ROOT,
                                "%,.0f %s/s",
                                Metric.of(Metric.THROUGHPUT, result),
                                schedule.experiment().unit())
                        : "DID NOT RUN: " + result.failure(),
                text(Duration.ofNanos(left)));
        if (failed == MOST_FAILED_FIRST && failed == ran.size() - before) {
            throw new BenchException("the run stops, because all of its first " + failed + " forks failed: correct the"
                    + " cause, and set another folder with --out. The last failure: " + result.failure());
        }
        return result;
    }

    private ForkResult run(Schedule schedule, ForkKey key) {
        Plan timing = schedule.plan();
        Experiment experiment = schedule.experiment();
        Arm arm = experiment.arm(key.openedArm());
        int workers = experiment.workersFor(key.condition());
        Processors processors = Processors.of(key.profile(), workers > 0);
        Path work = folder.resolve("fork");
        processors.moveForks();
        try {
            if (key.condition().hasOutage()) {
                try (Outage outage = new Outage(key.condition(), timing.window(), processors)) {
                    var task = new Task(key, timing.warmUp(), timing.window(), outage.servers(), 0, outage.address());
                    return launch(task, timing, arm, work);
                }
            }
            try (LabServer server = LabServer.start(workers, plan.server(), processors);
                    LabServer network = server.behindNetwork(key.condition().roundTripMicros(), processors)) {
                var task = new Task(key, timing.warmUp(), timing.window(), network.address(), server.pid(), "");
                ForkResult result = launch(task, timing, arm, work);
                if (key.profiled() && result.isThere()) {
                    Path recording = WaitRow.recording(folder, key);
                    Files.move(work.resolve(ForkProfiler.RECORDING), recording, StandardCopyOption.REPLACE_EXISTING);
                }
                return result;
            }
        } catch (IOException e) {
            throw TextFile.failure("use", work, e);
        }
    }

    static String text(Duration duration) {
        return duration.toHours() > 0
                ? duration.toHours() + " h " + duration.toMinutesPart() + " min"
                : duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }

    private ForkResult launch(Task task, Plan timing, Arm arm, Path work) throws IOException {
        ForkKey key = task.key();
        Condition condition = key.condition();
        Path row = work.resolve(ForkFile.NAME);
        Path log = work.resolve("fork.log");
        task.write(work.resolve(ForkProfiler.TASK));
        Files.deleteIfExists(row);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(Pattern.quote(benchmark.getName() + ".cycle"))
                .param("experiment", key.experiment())
                .param("arm", key.openedArm())
                .param("condition", condition.label())
                .param("profile", key.profile().name())
                .param("server", task.server().isEmpty() ? "none" : task.server())
                .param("batch", String.valueOf(timing.batch(condition)))
                .threads(condition.threads())
                .forks(1)
                .warmupIterations(0) // The profiler warms up and measures within one iteration.
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(
                        timing.warmUp().plus(timing.window()).toMillis()))
                .timeout(TimeValue.seconds(PATIENCE_SECONDS))
                .jvmArgs(flags(arm, key).toArray(String[]::new))
                .addProfiler(ForkProfiler.class, work.toString())
                .output(log.toString())
                .shouldFailOnError(true);
        String own = System.getProperty(CLASS_PATH);
        try {
            // JMH reads its forks' class path from CLASS_PATH. BusyCheck detects other runs of JMH on this machine.
            System.setProperty("jmh.ignoreLock", "true");
            System.setProperty(CLASS_PATH, variants.classPath(arm, own));
            new Runner(options.build()).runSingle();
        } catch (RunnerException e) {
            // If the arm could not be opened, the row gives the reason.
            if (!Files.exists(row)) {
                throw new BenchException("the fork failed: " + reason(e) + "; see " + log, e);
            }
        } finally {
            System.setProperty(CLASS_PATH, own);
        }
        return ForkFile.read(row).get(0);
    }

    private static List<String> forkFlags() {
        String more = System.getenv().getOrDefault("BENCH_JAVA_OPTS", "");
        return Stream.concat(
                        FORK_FLAGS.stream(), Stream.of(more.split("\\s+", -1)).filter(flag -> !flag.isEmpty()))
                .toList();
    }

    private static List<String> flags(Arm arm, ForkKey key) {
        List<String> flags = new ArrayList<>(forkFlags());
        if (Runtime.version().feature() >= NATIVE_ACCESS_SINCE) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        flags.addAll(arm.jvmFlags());
        if (key.condition().text(Condition.CALLERS, "").equals(Condition.VIRTUAL)) {
            flags.add("-Djmh.executor=VIRTUAL");
        }
        if (key.profiled()) {
            flags.add(RECORDER_MEMORY);
        }
        return flags;
    }

    private static String reason(Throwable failure) {
        Throwable next = failure.getSuppressed().length > 0 ? failure.getSuppressed()[0] : failure.getCause();
        return next == null ? failure.toString().strip() : reason(next);
    }
}
