// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.Experiments;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.testkit.Program;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One contract over every arm without a server: it ends the cycles of its callers, and loses nothing. */
@Timeout(60)
public class ArmsTest {

    private static final String DONE = "driver_done";
    private static final String FAILED = "driver_failed";
    private static final int THREADS = 16;
    private static final int CYCLES = 200;

    private static Stream<Arguments> arms() {
        return Stream.of(
                        "pool-cycle max=8,hold=none",
                        "queues pattern=pool",
                        "queues pattern=client-drain",
                        "sync-pool size=1024",
                        "false-sharing size=1024",
                        "opencms hold=park-100us",
                        "druid-table body=select,hold=park-200us",
                        "druid-fairness max=4,hold=park-200us,body=select")
                .map(line -> line.split(" "))
                .flatMap(words -> Experiments.named(words[0]).armNames().stream()
                        .filter(arm -> !arm.startsWith("bonecp")) // See SourceArmTest.
                        .map(arm -> Arguments.of(words[0], arm, words[1])));
    }

    @ParameterizedTest
    @MethodSource("arms")
    void everyCycleOfEveryArmEndsAndLosesNothing(String experiment, String name, String parameters) throws Exception {
        String condition = "threads=" + THREADS + "," + parameters;
        Map<String, Double> figures =
                List.of("opencms", "druid-table", "druid-fairness").contains(experiment)
                        ? isolated(experiment, name, condition, CYCLES)
                        : drive(experiment, name, condition, CYCLES);

        assertThat(figures).containsEntry(DONE, (double) THREADS * CYCLES).containsEntry(FAILED, 0.0);
        assertThat(figures.getOrDefault("lost_uses", 0.0)).isZero();
        if (parameters.contains("park")) {
            assertThat(figures.get("hold_us")).isGreaterThanOrEqualTo(100);
        }
        switch (experiment) {
            case "opencms" -> assertThat(figures).containsEntry("physical_peak", (double) THREADS);
            case "druid-table" -> assertThat(figures.get("physical_peak")).isBetween(1.0, 51.0);
            case "druid-fairness" ->
                // IronJacamar may open one too many while it fills itself, and closes it when it comes back.
                assertThat(figures.get("physical_peak")).isBetween(1.0, name.startsWith("ironjacamar") ? 5.0 : 4.0);
            default -> assertThat(figures).doesNotContainKey("physical_peak");
        }
    }

    /** Returns the fetched variants. Aborts the test until {@code bench/run lab} has fetched that of {@code arm}. */
    public static Variants fetched(Arm arm) {
        Variants folder = Variants.configured(Path.of("target", "variants"));
        if (!folder.missing(arm).isEmpty()) {
            throw Program.skip("libraries of the lab, fetch them with bench/run lab");
        }
        return folder;
    }

    /**
     * Does the same as {@link #drive} on the class path that a fork would have: the jars of the variant first. A class
     * loader takes the place of the fork, which would make the tests slow.
     */
    @SuppressWarnings("unchecked")
    public static Map<String, Double> isolated(String experiment, String name, String condition, int cycles)
            throws Exception {
        Arm arm = Experiments.named(experiment).arm(name);
        String classPath = fetched(arm).classPath(arm, System.getProperty("java.class.path"));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(
                Stream.of(classPath.split(File.pathSeparator))
                        .map(ArmsTest::url)
                        .toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            return (Map<String, Double>) loader.loadClass(ArmsTest.class.getName())
                    .getMethod("drive", String.class, String.class, String.class, int.class)
                    .invoke(null, experiment, name, condition, cycles);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(String file) {
        try {
            return Path.of(file).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Opens the arm, runs it and closes it. Takes and gives types of the JDK only, so that any class loader may call
     * it.
     */
    public static Map<String, Double> drive(String experiment, String arm, String condition, int cycles)
            throws Exception {
        Arm chosen = Experiments.named(experiment).arm(arm);
        Condition under = Condition.parse(condition);
        ExecutorService callers = Executors.newFixedThreadPool(under.threads());
        try (OpenedArm opened = chosen.opener().open(new Setup(under, Profile.CLOUD, List.of()))) {
            List<Future<long[]>> running = new ArrayList<>();
            for (int caller = 0; caller < under.threads(); caller++) {
                OpenedArm.Cycle cycle = opened.cycle(caller);
                running.add(callers.submit(() -> repeat(cycle, cycles)));
            }
            long done = 0;
            long failed = 0;
            for (Future<long[]> each : running) {
                long[] counts = each.get();
                done += counts[0];
                failed += counts[1];
            }
            Map<String, Double> figures = new TreeMap<>(opened.figures());
            figures.put(DONE, (double) done);
            figures.put(FAILED, (double) failed);
            return figures;
        } finally {
            callers.shutdown();
        }
    }

    private static long[] repeat(OpenedArm.Cycle cycle, int cycles) {
        long[] counts = new long[2];
        for (int i = 0; i < cycles; i++) {
            try {
                cycle.run(i);
                counts[0]++;
            } catch (Exception e) {
                counts[1]++;
            }
        }
        return counts;
    }
}
