// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.run.LabRun;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.EnvironmentFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

/**
 * Cross-check of the lab's figures with another harness: runs arms of the lab under JMH, each on the class path of its
 * variant, and writes the results.
 *
 * <p>The rate is the number of cycles of all threads divided by the length of an iteration. JMH's own score differs: it
 * adds up the rates of the threads, each over the thread's own time. A thread may wait in its pool until an iteration
 * has ended and then run one cycle; in JMH's score the rate of such a thread is millions.
 *
 * <p>Threading: confined to one thread, because JMH reads the class path of its forks from a system property. Failure:
 * {@link BenchException} with a message of one sentence.
 */
public record LabCrossCheck(
        Experiment experiment, Condition condition, int forks, VariantFolder variants, PrintWriter out) {

    /** Name of the file with the results. */
    public static final String NAME = "jmh.csv";

    private static final String CLASS_PATH = "java.class.path";
    private static final int ITERATIONS = 3;
    private static final long SECONDS = 1;
    private static final double CONFIDENCE = 0.999;

    /** Refuses an experiment that needs a server. */
    public LabCrossCheck {
        boolean needsServer = experiment.arms().stream()
                .anyMatch(arm -> experiment.serverFor(arm.name(), condition) != Experiment.ServerNeed.NONE);
        if (needsServer) {
            throw new BenchException(experiment.name() + " needs a server; take bench/run jmh GetBenchmark");
        }
    }

    /** Returns an estimate of the seconds that {@code arms} take. */
    public long seconds(List<Arm> arms) {
        return (2L * ITERATIONS * 2 + 1) * forks * arms.size(); // Half of it is JMH's wait for a collection.
    }

    /**
     * Runs {@code arms} and writes results and environment into {@code folder}. The first arm is the reference for the
     * others.
     */
    public void run(List<Arm> arms, Path folder, String command) {
        variants.resolve(arms.stream());
        EnvironmentFile.write(
                folder.resolve("environment.csv"), new EnvironmentProbe().environmentWithoutServer(command));
        List<List<String>> rows = new ArrayList<>();
        double first = 0;
        out.printf(
                "| arm, %s | a second | error (99.9 %%) | times the first |%n|---|---:|---:|---:|%n",
                condition.label());
        for (Arm arm : arms) {
            Statistics found = cyclesPerSecond(run(arm));
            double error = found.getMeanErrorAt(CONFIDENCE);
            first = first == 0 ? found.getMean() : first;
            rows.add(List.of(
                    experiment.name(),
                    arm.name(),
                    condition.label(),
                    String.valueOf(forks),
                    String.valueOf(found.getMean()),
                    String.valueOf(error)));
            Csv.write(
                    folder.resolve(NAME),
                    List.of("experiment", "arm", "condition", "forks", "cycles_per_second", "error"),
                    rows);
            out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %.2f |%n",
                    arm.name(),
                    found.getMean(),
                    error,
                    found.getMean() / first);
        }
    }

    /** Returns the rates of all iterations. JMH times an iteration from the moment all threads run until they stop. */
    static Statistics cyclesPerSecond(RunResult result) {
        ListStatistics iterations = new ListStatistics();
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                iterations.addValue(iteration.getMetadata().getMeasuredOps() / (double) SECONDS);
            }
        }
        return iterations;
    }

    private RunResult run(Arm arm) {
        String own = System.getProperty(CLASS_PATH, "");
        List<String> flags = new ArrayList<>(LabRun.FORK_FLAGS);
        flags.addAll(arm.jvmFlags());
        try {
            System.setProperty(CLASS_PATH, variants.classPath(arm, own));
            ChainedOptionsBuilder options = new OptionsBuilder()
                    .include(LabCycleBenchmark.class.getName() + ".cycle")
                    .param("experiment", experiment.name())
                    .param("arm", arm.name())
                    .param("condition", condition.label())
                    .threads(condition.threads())
                    .forks(forks)
                    .warmupIterations(ITERATIONS)
                    .warmupTime(TimeValue.seconds(SECONDS))
                    .measurementIterations(ITERATIONS)
                    .measurementTime(TimeValue.seconds(SECONDS))
                    .shouldDoGC(true) // Moves live objects to the old generation, as the lab does.
                    .jvmArgs(flags.toArray(String[]::new))
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true);
            return new Runner(options.build()).runSingle();
        } catch (RunnerException e) {
            throw new BenchException("JMH of " + arm.name() + ": " + e.getMessage(), e);
        } finally {
            System.setProperty(CLASS_PATH, own);
        }
    }
}
