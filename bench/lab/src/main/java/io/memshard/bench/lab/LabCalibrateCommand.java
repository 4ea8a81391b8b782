// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.judge.Calibration;
import io.memshard.bench.lab.judge.LockFinder;
import io.memshard.bench.lab.planted.Planted;
import io.memshard.bench.lab.planted.PlantedVerdicts;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.run.LabRun;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.statistics.Margin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run lab calibrate}: how often the judge errs, and whether a lock profile finds a planted lock. */
@Command(
        name = "calibrate",
        description = "Shows how often the judge errs on equal arms and on planted effects, and whether a lock profile"
                + " finds a planted lock.")
final class LabCalibrateCommand extends BenchCommand {

    @Option(
            names = "--full",
            description = "Plant the effects in forks of this machine too, by the lab's own means; about 11 s for each"
                    + " block of a pair.")
    private boolean full;

    @Option(names = "--pairs", description = "Pairs of each effect in forks (default: ${DEFAULT-VALUE}).")
    private int pairs = 20;

    @Option(names = "--blocks", description = "Blocks of each of these (default: ${DEFAULT-VALUE}).")
    private int blocks = 5;

    @Option(names = "--anyway", description = "Use forks on a busy machine too.")
    private boolean anyway;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the forks; one that is there goes on.")
    private @Nullable Path out;

    @Option(names = "--seed", description = "Of the random numbers (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        Calibration standard = Calibration.STANDARD;
        out.printf(
                "%d pairs of %d blocks, a margin of %.0f %%%n%n",
                standard.pairs(), standard.blocks(), 100 * standard.margin().fraction());
        out.print(Calibration.table(standard.rows(seed)));
        LockFinder.Answer answer = LockFinder.find();
        out.printf(
                "%nA lock that %d callers hold for %d us: %s at %s, %.0f ms a second and caller%n",
                LockFinder.CALLERS,
                LockFinder.HOLD_MICROS,
                answer.isFound() ? "found" : "NOT FOUND",
                answer.place(),
                answer.millisPerSecond());
        out.flush();
        if (full) {
            calibrateByForks(out);
        }
        return answer.isFound() ? 0 : 1;
    }

    private void calibrateByForks(PrintWriter out) {
        if (pairs < 1 || blocks < 2) {
            throw new BenchException("--pairs must be at least 1 and --blocks at least 2");
        }
        Path folder = folder(this.out);
        LabPlan plan =
                new LabPlan(List.of(new Planted(pairs, blocks)), Size.FULL, List.of(Profile.CLOUD), "", seed, anyway);
        out.printf("%n%d pairs of %d blocks in forks%n", pairs, blocks);
        new LabRun(
                        plan,
                        folder,
                        VariantFolder.configured(Path.of("bench", "lab", "target", "variants")),
                        ForkMain.class.getName(),
                        out)
                .run(typed(), "none");
        Margin margin = Calibration.STANDARD.margin();
        out.print(Calibration.table(
                new PlantedVerdicts(blocks, margin).rows(ForkFile.read(folder.resolve(ForkFile.NAME)), Profile.CLOUD)));
        out.flush();
    }
}
