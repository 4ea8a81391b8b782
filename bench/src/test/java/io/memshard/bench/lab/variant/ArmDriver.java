// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import io.memshard.bench.lab.Experiments;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.machine.Profile;
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

/** Lets the callers of an arm do so many cycles each, and says what came of it. */
public final class ArmDriver {

    /** Cycles that ended well, and those that threw. */
    public static final String DONE = "driver_done";

    /** See {@link #DONE}. */
    public static final String FAILED = "driver_failed";

    private ArmDriver() {}

    /** Returns the variants that {@code bench/run lab} has fetched. Aborts the test if that of {@code arm} is not here. */
    public static VariantFolder fetched(Arm arm) {
        VariantFolder folder = VariantFolder.configured(Path.of("target", "variants"));
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
    public static Map<String, Double> isolated(String experiment, Arm arm, String condition, int cycles)
            throws Exception {
        String classPath = fetched(arm).classPath(arm, System.getProperty("java.class.path"));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(
                Stream.of(classPath.split(File.pathSeparator))
                        .map(ArmDriver::url)
                        .toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            return (Map<String, Double>) loader.loadClass(ArmDriver.class.getName())
                    .getMethod("drive", String.class, String.class, String.class, int.class)
                    .invoke(null, experiment, arm.name(), condition, cycles);
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
        try (OpenedArm opened = chosen.opener().open(new Setup(under, Profile.CLOUD, null))) {
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
