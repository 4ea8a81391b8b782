// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.judge.Calibration;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.ForkNoise;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.LockFinder;
import io.memshard.bench.lab.judge.Planted;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.run.Isolation;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.run.LabRun;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.statistics.Margin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench/run lab}: runs the experiments that test claims of articles. */
@Command(
        name = "lab",
        subcommands = {LabCommand.Report.class, LabCommand.Calibrate.class, LabCommand.Jmh.class},
        description = "Tests what articles claim of pools and clients, each arm in JVMs of its own.")
final class LabCommand extends BenchCommand {

    private static final double SECONDS_AN_HOUR = 3600;
    private static final VariantFolder VARIANTS =
            VariantFolder.configured(Path.of("bench", "lab", "target", "variants"));

    @Parameters(arity = "0..*", paramLabel = "EXPERIMENT", description = "Which experiments (default: all).")
    private List<String> names = List.of();

    @Option(names = "--quick", description = "One block of short forks, to see that everything works; no verdict.")
    private boolean quick;

    @Option(names = "--full", description = "Enough forks for a verdict; says first how long that takes.")
    private boolean full;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Blocks of a full run, 5 at least (default: as many as each experiment's plan has).")
    private int blocks;

    @Option(
            names = "--hours",
            paramLabel = "H",
            description = "As many blocks as fit into this time, such as 8 or 0.5 (default: those of the plans).")
    private double hours;

    @Option(
            names = "--cpus",
            paramLabel = "1,2,..",
            split = ",",
            description = "A sweep: what claims need runs on these numbers of processors too.")
    private List<Integer> cpus = List.of();

    @Option(
            names = "--isolation",
            description = "container, affinity or none (default: containers where a Docker engine answers, else"
                    + " processor affinity).")
    private String isolation = "";

    @Option(names = "--plan", description = "Say what would run and how long it takes, and run nothing.")
    private boolean plansOnly;

    @Option(names = "--profile", description = "cloud, physical or both (default: ${DEFAULT-VALUE}).")
    private String profile = "cloud";

    @Option(
            names = "--server",
            paramLabel = "host:port",
            description = "A memcached that runs (default: a new one for each fork).")
    private String server = "";

    @Option(names = "--seed", description = "Of the orders (default: the time).")
    private long seed = System.currentTimeMillis();

    @Option(names = "--anyway", description = "Measure on a busy machine too; then there is no verdict.")
    private boolean anyway;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the results; one that is there goes on.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        LabPlan plan = plan();
        if (plansOnly) {
            out().print(plan.text());
            out().flush();
            return 0;
        }
        Path folder = folder(out);
        LabRun run = new LabRun(plan, folder, VARIANTS, ForkMain.class.getName(), out());
        run.run(typed(), Claims.load().hash());
        Report.report(folder, out());
        return 0;
    }

    private LabPlan plan() {
        checkOptions();
        List<Profile> profiles = switch (profile) {
            case "cloud" -> List.of(Profile.CLOUD);
            case "physical" -> List.of(Profile.PHYSICAL);
            case "both" -> List.of(Profile.CLOUD, Profile.PHYSICAL);
            default -> throw new BenchException("--profile is cloud, physical or both, not " + profile);
        };
        List<Experiment> experiments = names.isEmpty()
                ? Experiments.all()
                : names.stream()
                        .map(name -> named(() -> Experiments.named(name)))
                        .toList();
        LabPlan plan = new LabPlan(
                experiments,
                quick ? Size.QUICK : Size.FULL,
                profiles,
                server,
                seed,
                anyway,
                isolation.isEmpty() ? Isolation.find() : Isolation.named(isolation),
                blocks,
                cpus);
        return hours == 0 ? plan : plan.within(Duration.ofSeconds(Math.round(hours * SECONDS_AN_HOUR)));
    }

    private void checkOptions() {
        if (quick == full) {
            throw new BenchException(
                    "say --quick or --full; with --plan too it says how long that takes and runs nothing");
        }
        if (quick && (blocks != 0 || hours != 0)) {
            throw new BenchException("--blocks and --hours are for --full: a quick run has one block");
        }
        if (blocks != 0 && hours != 0) {
            throw new BenchException("--blocks and --hours say the same in two ways: give one");
        }
        if (blocks != 0 && blocks < LabPlan.LEAST_BLOCKS) {
            throw new BenchException("--blocks must be at least " + LabPlan.LEAST_BLOCKS + ", not " + blocks);
        }
        if (hours < 0 || cpus.stream().anyMatch(number -> number < 1)) {
            throw new BenchException("--hours and --cpus are above 0");
        }
    }

    /**
     * Returns the result of the lookup {@code named}; throws {@link BenchException} with one sentence for an unknown
     * name.
     */
    private static <T> T named(Supplier<T> named) {
        try {
            return named.get();
        } catch (IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    /** {@code bench/run lab report DIR}: judges the data of a folder and writes its pages. */
    @Command(
            name = "report",
            description = {
                "Judges the data of a folder by the claims, and writes a page for each into DIR/pages.",
                "Reads the recordings of lock profiles again, where they are in the folder."
            })
    static final class Report extends BenchCommand {

        @Parameters(paramLabel = "DIR", description = "Folder with lab.csv and forks.csv.")
        private Path folder = Path.of(".");

        @Override
        public Integer call() {
            report(folder, out());
            return 0;
        }

        static void report(Path folder, PrintWriter out) {
            WaitRow.write(folder);
            LabReport report = LabReport.of(folder, Claims.load());
            Path pages = folder.resolve("pages");
            report.write(pages);
            for (Finding finding : report.findings()) {
                out.println("- " + finding.claim().title() + ": "
                        + finding.verdict().label());
            }
            out.println("- pages: " + pages.resolve(LabReport.INDEX));
        }
    }

    /** {@code bench/run lab jmh EXPERIMENT}: runs arms of the lab under JMH. */
    @Command(
            name = "jmh",
            description =
                    "Runs arms of an experiment without a server under JMH: a check of the lab's figures by another"
                            + " harness.")
    static final class Jmh extends BenchCommand {

        @Parameters(
                paramLabel = "EXPERIMENT",
                arity = "0..1",
                description = "Such as pool-cycle, queues or sync-pool; or leave it out and name a claim.")
        private String name = "";

        @Option(
                names = "--claim",
                paramLabel = "NAME",
                description = "Runs the two arms that a claim compares, under its condition; such as unfair-doubles.")
        private @Nullable String claim;

        @Option(
                names = "--arms",
                split = ",",
                description = "Which, the one to compare with first (default: all that run under the condition).")
        private List<String> arms = List.of();

        @Option(
                names = "--condition",
                description =
                        "As the lab writes it, such as threads=100,max=20,hold=none (default: the first of the plan).")
        private String condition = "";

        @Option(names = "--forks", description = "JVMs for each arm (default: ${DEFAULT-VALUE}).")
        private int forks = 5;

        @Option(names = "--out", paramLabel = "DIR", description = "Folder of the results.")
        private @Nullable Path out;

        @Override
        public Integer call() {
            if (forks < 1) {
                throw new BenchException("--forks must be at least 1, not " + forks);
            }
            if (claim != null) {
                if (!name.isEmpty() || !condition.isEmpty() || !arms.isEmpty()) {
                    throw new BenchException("--claim names experiment, condition and arms: leave these out");
                }
                Cells cells = Cells.of(claim);
                name = cells.experiment;
                condition = cells.condition;
                arms = cells.arms;
            }
            Experiment experiment = named(() -> Experiments.named(name));
            Condition under = condition(experiment);
            List<Arm> chosen = arms(experiment, under);
            LabCrossCheck check = new LabCrossCheck(experiment, under, forks, VARIANTS, out());
            out().printf("%d arms, %d JVMs each, about %d s%n", chosen.size(), forks, check.seconds(chosen));
            check.run(chosen, folder(out), typed());
            return 0;
        }

        /**
         * Experiment, condition and the two arms that a claim compares; the reference arm is first. Threading:
         * immutable.
         */
        record Cells(String experiment, String condition, List<String> arms) {

            static Cells of(String claim) {
                Claims.Claim found =
                        Claims.load().named(claim).orElseThrow(() -> new BenchException("there is no claim " + claim));
                ClaimCheck check = found.primary();
                if (check.other().isEmpty() || check.kind() == ClaimCheck.Kind.COUNTED) {
                    throw new BenchException(
                            "claim " + claim + " does not compare two arms under one condition: " + check.brief());
                }
                return new Cells(found.experiment(), check.condition().label(), List.of(check.other(), check.arm()));
            }
        }

        private Condition condition(Experiment experiment) {
            return condition.isEmpty()
                    ? experiment.plan(Size.FULL, Profile.CLOUD).cells().get(0).condition()
                    : named(() -> Condition.parse(condition));
        }

        private List<Arm> arms(Experiment experiment, Condition under) {
            Stream<String> chosen = arms.isEmpty()
                    ? experiment.plan(Size.FULL, Profile.CLOUD).cells().stream()
                            .filter(cell -> cell.condition().equals(under))
                            .map(Plan.Cell::arm)
                    : arms.stream();
            return chosen.map(arm -> named(() -> experiment.arm(arm))).toList();
        }
    }

    /**
     * {@code bench/run lab calibrate}: shows how often the judge errs, and whether a lock profile finds a planted lock.
     */
    @Command(
            name = "calibrate",
            description =
                    "Shows how often the judge errs on equal arms and on planted effects, and whether a lock profile"
                            + " finds a planted lock.")
    static final class Calibrate extends BenchCommand {

        @Option(
                names = "--full",
                description =
                        "Plant the effects in forks of this machine too, by the lab's own means; about 11 s for each"
                                + " block of a pair.")
        private boolean full;

        @Option(
                names = "--of",
                paramLabel = "DIR",
                description = "Folder of a run, such as docs/results/lab-venus: plant the effects in the noise that its"
                        + " forks had too.")
        private @Nullable Path of;

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
            if (of != null) {
                out.printf("%nWith the noise of the forks of %s%n%n", of);
                out.print(Calibration.table(noiseOf(of).rows(seed)));
            }
            LockFinder.Answer answer = LockFinder.find();
            out.printf(
                    "%nA lock that %d callers hold for %d us: %s at %s, %.0f ms a second and caller%n",
                    LockFinder.CALLERS,
                    LockFinder.HOLD_MICROS,
                    answer.isFound() ? "found" : "NOT FOUND",
                    answer.place(),
                    answer.millisPerSecond());
            if (full) {
                calibrateByForks(out);
            }
            return answer.isFound() ? 0 : 1;
        }

        private static Calibration noiseOf(Path folder) {
            Calibration standard = Calibration.STANDARD;
            try {
                ForkNoise noise = ForkNoise.of(ForkFile.read(folder.resolve(ForkFile.NAME)));
                return new Calibration(standard.pairs(), standard.blocks(), noise, standard.margin());
            } catch (IllegalArgumentException e) {
                throw new BenchException("--of " + folder + ": " + e.getMessage(), e);
            }
        }

        private void calibrateByForks(PrintWriter out) {
            if (pairs < 1 || blocks < 2) {
                throw new BenchException("--pairs must be at least 1 and --blocks at least 2");
            }
            Path folder = folder(this.out);
            LabPlan plan = new LabPlan(
                    List.of(new Planted(pairs, blocks)), Size.FULL, List.of(Profile.CLOUD), "", seed, anyway);
            out.printf("%n%d pairs of %d blocks in forks%n", pairs, blocks);
            new LabRun(plan, folder, VARIANTS, ForkMain.class.getName(), out).run(typed(), "none");
            Margin margin = Calibration.STANDARD.margin();
            List<ForkResult> data = ForkFile.read(folder.resolve(ForkFile.NAME));
            out.print(Calibration.table(Planted.rows(data, Profile.CLOUD, blocks, margin)));
            out.flush();
        }
    }
}
