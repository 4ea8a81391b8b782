// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import io.memshard.bench.result.BenchException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Folder with the jars of all variants, {@code bench/target/variants}. Maven copies a jar there when the lab first
 * needs it. A variant with a jar that cannot be had does not run; the others do.
 *
 * <p>Threading: confined to one thread; one process at a time may resolve.
 */
public final class VariantFolder {

    /** System property with the folder; {@code bench/run} may set it. */
    private static final String PROPERTY = "memshard.bench.variants";

    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

    private final Path folder;

    /** Creates an object for the variants in {@code folder}, which need not exist. */
    public VariantFolder(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    /** Returns the folder of the system property {@code memshard.bench.variants}, or {@code otherwise}. */
    public static VariantFolder configured(Path otherwise) {
        String configured = System.getProperty(PROPERTY, "");
        return new VariantFolder(configured.isBlank() ? otherwise : Path.of(configured));
    }

    /** Copies the missing jars of the variants of {@code arms}, if {@code mvn} is on the PATH. */
    public void resolve(Stream<Arm> arms) {
        arms.flatMap(arm -> missing(arm).stream()).distinct().forEach(this::copy);
    }

    private void copy(String jar) {
        try {
            new ProcessBuilder("mvn", "-B", "-q", COPY, "-Dartifact=" + jar, "-DoutputDirectory=" + folder)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            // Without mvn on the PATH the variants that are not there do not run.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while Maven copied " + jar, e);
        }
    }

    /** Returns the jars of the variant of {@code arm} that are not in the folder. */
    List<String> missing(Arm arm) {
        return jars(arm).filter(jar -> !Files.isRegularFile(file(jar))).toList();
    }

    /**
     * Returns the class path of a fork of {@code arm}: the jars of its variant or its own class path, then {@code own},
     * the class path of the lab. Fails if a jar is not in the folder.
     */
    public String classPath(Arm arm, String own) {
        List<String> missing = missing(arm);
        if (!missing.isEmpty()) {
            throw new BenchException("variant " + arm.variant() + ": Maven has not copied " + missing.get(0));
        }
        Stream<String> first = isClassPath(arm)
                ? Stream.of(arm.variant())
                : jars(arm).map(jar -> file(jar).toString());
        return Stream.concat(first, Stream.of(own)).collect(Collectors.joining(File.pathSeparator));
    }

    private static Stream<String> jars(Arm arm) {
        return arm.variant().isEmpty() || isClassPath(arm) ? Stream.empty() : Variants.jars(arm.variant()).stream();
    }

    private static boolean isClassPath(Arm arm) {
        return arm.variant().contains(File.separator);
    }

    /** Returns the file of {@code jar}, named as Maven does. */
    private Path file(String jar) {
        String[] parts = jar.split(":", -1);
        return folder.resolve(parts[1] + "-" + parts[2] + ".jar");
    }
}
