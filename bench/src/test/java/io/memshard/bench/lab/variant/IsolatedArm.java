// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variants.Variant;
import io.memshard.testkit.Program;
import java.io.BufferedReader;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs an arm on the class path that its fork would have: the jars of its variant first. A class loader of its own
 * takes the place of the fork, which would make the tests slow.
 */
public final class IsolatedArm {

    private static final VariantFolder FOLDER = VariantFolder.configured(Path.of("target/variants"));

    /** Their library asks the class loader of the application, which has the versions of the build. */
    private static final Set<String> NEED_A_FORK = Set.of("bonecp-0.7.1");

    private IsolatedArm() {}

    /**
     * Returns what came of it, see {@link ArmDriver}. Aborts the test where the variant is not here: {@code bench/run
     * lab} fetches it.
     */
    public static Map<String, Double> run(String experiment, Arm arm, String condition, int cycles) throws Exception {
        if (arm.variant().isEmpty()) {
            return ArmDriver.drive(experiment, arm.name(), condition, cycles);
        }
        Variant variant = Variants.named(arm.variant());
        Optional<String> reason = FOLDER.whyNot(variant);
        if (reason.filter(text -> text.startsWith(VariantFolder.NOT_RESOLVED)).isPresent()) {
            throw Program.skip("libraries of the lab, fetch them with bench/run lab");
        }
        assumeTrue(reason.isEmpty(), () -> variant.id() + ": " + reason.orElse(""));
        if (NEED_A_FORK.contains(variant.id())) {
            return fork(variant, experiment, arm.name(), condition, cycles);
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(
                classPath(variant).stream().map(IsolatedArm::url).toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            @SuppressWarnings("unchecked")
            Map<String, Double> figures = (Map<String, Double>) loader.loadClass(ArmDriver.class.getName())
                    .getMethod("drive", String.class, String.class, String.class, int.class)
                    .invoke(null, experiment, arm.name(), condition, cycles);
            return figures;
        } catch (InvocationTargetException e) {
            throw new AssertionError(arm.name() + " failed", e.getCause());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Map<String, Double> fork(
            Variant variant, String experiment, String arm, String condition, int cycles) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(variant).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                        ArmDriver.class.getName(),
                        experiment,
                        arm,
                        condition,
                        Integer.toString(cycles))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Double> figures = new TreeMap<>();
        try (BufferedReader out = process.inputReader()) {
            out.lines()
                    .map(line -> line.split("="))
                    .filter(words -> words.length == 2)
                    .forEach(words -> figures.put(words[0], Double.valueOf(words[1])));
        }
        process.waitFor();
        return figures;
    }

    private static List<Path> classPath(Variant variant) {
        List<Path> own = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return FOLDER.classPath(variant, own);
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }
}
