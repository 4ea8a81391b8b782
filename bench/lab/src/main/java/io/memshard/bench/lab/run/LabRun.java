// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkKey;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Recordings;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.ServerNeed;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.lab.variant.Variants;
import io.memshard.bench.machine.BusyCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a plan fork by fork and keeps what each found at once. A run that was interrupted goes on where it was.
 *
 * <p>Threading: confined to one thread. Failure: {@link BenchException} in one sentence.
 */
public final class LabRun {

    private static final int ATTEMPTS = 2;
    private static final int MOST_FAILED_FIRST = 8;

    private final LabPlan plan;
    private final Path folder;
    private final VariantFolder variants;
    private final ForkLauncher launcher;
    private final LabProgress progress;
    private final Map<ForkKey, Integer> attempts = new HashMap<>();

    /** Forks that failed before the first one that ran. */
    private int failedFirst;

    private boolean anyRan;

    /**
     * A run.
     *
     * @param plan what is asked
     * @param folder for the files, created if it is not there
     * @param variants where the libraries of variants are; missing ones are fetched first
     * @param main class of the program of a fork
     * @param out for progress
     */
    public LabRun(LabPlan plan, Path folder, VariantFolder variants, String main, PrintWriter out) {
        this.plan = plan;
        // A fork in a container has another working directory.
        this.folder = folder.toAbsolutePath();
        this.variants = variants;
        this.launcher = new ForkLauncher(variants, main);
        this.progress = new LabProgress(out);
    }

    /**
     * Runs what is missing.
     *
     * @param command what was typed
     * @param claims hash of the claims that are judged by the data
     */
    public void run(String command, String claims) {
        try {
            // First, because fetching keeps the machine busy.
            variants.resolve(plan.experiments().stream()
                    .flatMap(experiment -> experiment.arms().stream())
                    .map(Arm::variant)
                    .filter(variant -> !variant.isEmpty())
                    .distinct()
                    .map(Variants::named)
                    .toList());
            boolean mayBeBusy = plan.anyway() || plan.size() == Experiment.Size.QUICK;
            List<String> busy = BusyCheck.require(mayBeBusy, "measure without a verdict by --anyway", progress::say);
            if (plan.isolation() == Isolation.CONTAINER) {
                Containers.makeImage();
            }
            LabPlan resumed = resume(command, claims, busy);
            List<Schedule> schedules = resumed.schedules();

            progress.start(schedules, plan.isolation(), attempts.size());
            for (Schedule schedule : schedules) {
                run(schedule);
            }
            progress.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted; the same command with --out " + folder + " goes on", e);
        }
    }

    /** Writes the facts of a new run, or checks those of one that goes on and takes its seed. */
    private LabPlan resume(String command, String claims, List<String> busy) {
        Path file = folder.resolve(RunFacts.NAME);
        if (!Files.exists(file)) {
            RunFactsProbe.facts(plan, command, claims, busy).write(file);
            return plan;
        }
        RunFacts before = RunFacts.read(file);
        LabPlan same = plan.withSeed(Long.parseLong(before.get("seed")));
        List<String> differences = before.differencesFrom(RunFactsProbe.facts(same, command, claims, busy));
        if (!differences.isEmpty()) {
            throw new BenchException(folder + " holds another run (" + String.join("; ", differences)
                    + "): name another folder by --out");
        }
        if (!busy.isEmpty() && before.get("busy").isEmpty()) {
            throw new BenchException("the machine is busy (" + String.join("; ", busy) + ") and the run in " + folder
                    + " began on a quiet one: wait");
        }
        Path forks = folder.resolve(ForkFile.NAME);
        if (Files.exists(forks)) {
            dropTornRow(forks);
            ForkFile.read(forks).forEach(fork -> attempts.merge(fork.key(), fork.attempt(), Math::max));
        }
        return same;
    }

    /** A row without its line break was under way when the run was interrupted. */
    static void dropTornRow(Path file) {
        try {
            String text = Files.readString(file);
            if (!text.endsWith("\n")) {
                Files.writeString(file, text.substring(0, text.lastIndexOf('\n') + 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot mend " + file + ": " + e.getMessage(), e);
        }
    }

    private void run(Schedule schedule) throws InterruptedException {
        int position = 0;
        int block = 0;
        List<ForkKey> disturbed = new ArrayList<>();
        for (ForkKey key : schedule.forks()) {
            if (key.block() != block || key.profiled()) {
                again(schedule, disturbed);
                block = key.block();
                position = 0;
            }
            position++;
            if (!attempts.containsKey(key) && isDisturbed(run(schedule, key, position, 1))) {
                disturbed.add(key);
            }
        }
        again(schedule, disturbed);
    }

    private void again(Schedule schedule, List<ForkKey> disturbed) throws InterruptedException {
        for (ForkKey key : disturbed) {
            run(schedule, key, 0, ATTEMPTS);
        }
        disturbed.clear();
    }

    private static boolean isDisturbed(ForkResult fork) {
        return !fork.key().profiled() && fork.isThere() && fork.get(Measure.STEAL) > BusyCheck.MOST_STEAL;
    }

    private ForkResult run(Schedule schedule, ForkKey key, int position, int attempt) throws InterruptedException {
        Experiment experiment = schedule.experiment();
        Arm arm = experiment.arm(key.openedArm());
        ServerNeed need = experiment.serverFor(key.openedArm(), key.condition());
        Path work = folder.resolve("fork");
        ForkResult result;
        try {
            Placement placement =
                    Placement.of(key.profile(), need != ServerNeed.NONE, plan.isolation(), key.condition());
            result = run(schedule, key, arm, need, placement, work).at(position, attempt);
        } catch (BenchException e) {
            result = ForkResult.failed(key, position, attempt, String.valueOf(e.getMessage()));
        }
        keep(work, result);
        progress.fork(schedule, result);
        stopIfNoneRuns(result);
        return result;
    }

    /** What keeps the first forks from running, each another arm, keeps the others from it too. */
    private void stopIfNoneRuns(ForkResult result) {
        anyRan |= result.isThere();
        if (!anyRan && ++failedFirst == MOST_FAILED_FIRST) {
            throw new BenchException(
                    "none of the first " + failedFirst + " forks ran, so the run stops; mend it and name"
                            + " another folder by --out. The last one: " + result.failure());
        }
    }

    private ForkResult run(Schedule schedule, ForkKey key, Arm arm, ServerNeed need, Placement placement, Path work)
            throws InterruptedException {
        try (LabServer server = LabServer.start(need, plan.server(), placement);
                NetworkProxy network =
                        NetworkProxy.start(server.address(), key.condition().roundTripMicros(), placement)) {
            ForkTask task = new ForkTask(
                    key,
                    schedule.plan().warmUp(),
                    schedule.plan().window(),
                    schedule.plan().fixedCycles(),
                    schedule.plan().batch(key.condition()),
                    network.address(),
                    server.pid());
            return launcher.launch(task, arm, placement, work);
        }
    }

    /** Moves what a fork wrote to the files of the run; its row comes last and makes the rest count. */
    private void keep(Path work, ForkResult result) {
        Path recording = work.resolve(Fork.RECORDING);
        ForkKey key = result.key();
        if (key.profiled() && result.isThere()) {
            try {
                Files.move(recording, Recordings.of(folder, key), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot keep " + recording + ": " + e.getMessage(), e);
            }
        }
        ForkFile.append(folder.resolve(ForkFile.NAME), result);
        attempts.put(key, result.attempt());
    }

    /** Options of the JVM of every fork. */
    public static List<String> forkFlags() {
        return ForkLauncher.FLAGS;
    }

    /** Hours and minutes, or minutes and seconds. */
    static String text(Duration duration) {
        return duration.toHours() > 0
                ? duration.toHours() + " h " + duration.toMinutesPart() + " min"
                : duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }
}
