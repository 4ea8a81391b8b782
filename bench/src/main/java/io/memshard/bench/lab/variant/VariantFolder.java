// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.Digest;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variants.Variant;
import io.memshard.bench.result.Csv;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Folder with the jars of all variants, {@code bench/target/variants}. Maven copies a jar there when the lab first
 * needs it. A variant with a jar that cannot be had, or has another checksum than in {@code variants.sha256}, does not
 * run; the others do.
 *
 * <p>Threading: confined to one thread; one process at a time may resolve.
 */
public final class VariantFolder {

    static final String NOT_RESOLVED = "Maven has not copied ";

    /** System property with the folder; {@code bench/run} may set it. */
    static final String PROPERTY = "memshard.bench.variants";

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
        arms.map(Arm::variant)
                .filter(variant -> !variant.isEmpty() && !isClassPath(variant))
                .flatMap(variant -> Variants.named(variant).jars().stream())
                .distinct()
                .filter(jar -> !Files.isRegularFile(folder.resolve(jar.fileName())))
                .forEach(this::copy);
    }

    private void copy(Variant.Jar jar) {
        try {
            new ProcessBuilder(
                            "mvn",
                            "-B",
                            "-ntp",
                            "-q",
                            COPY,
                            "-Dartifact=" + jar.coordinates(),
                            "-DoutputDirectory=" + folder)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            // Without mvn on the PATH the variants that are not there do not run.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while Maven copied " + jar.coordinates(), e);
        }
    }

    /** Returns why {@code variant} cannot run in this JVM; empty if it can. */
    public Optional<String> whyNot(Variant variant) {
        int java = Runtime.version().feature();
        if (java < variant.oldestJava()) {
            return Optional.of("needs Java " + variant.oldestJava() + ", this is " + java);
        }
        for (Variant.Jar jar : variant.jars()) {
            Path file = folder.resolve(jar.fileName());
            if (!Files.isRegularFile(file)) {
                return Optional.of(NOT_RESOLVED + jar.coordinates());
            }
            if (!Digest.whole(Csv.bytes(file)).equals(Variants.checksum(jar))) {
                return Optional.of(jar.coordinates() + " does not have the SHA-256 of variants.sha256");
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the class path of a fork of {@code arm}: the jars of its variant or its own class path, then {@code own},
     * the class path of the lab. Fails if the variant cannot run in this JVM.
     */
    public String classPath(Arm arm, String own) {
        if (arm.variant().isEmpty()) {
            return own;
        }
        if (isClassPath(arm.variant())) {
            return arm.variant() + File.pathSeparator + own;
        }
        Variant variant = Variants.named(arm.variant());
        whyNot(variant).ifPresent(reason -> {
            throw new BenchException("variant " + variant.id() + ": " + reason);
        });
        List<Path> files =
                Stream.of(own.split(File.pathSeparator, -1)).map(Path::of).toList();
        return classPath(variant, files).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isClassPath(String variant) {
        return variant.contains(File.separator);
    }

    /**
     * Returns the class path of a fork: the jars of the variant, then {@code own} without other versions of these jars.
     */
    public List<Path> classPath(Variant variant, List<Path> own) {
        return Stream.concat(
                        variant.jars().stream().map(jar -> folder.resolve(jar.fileName())),
                        own.stream().filter(file -> variant.jars().stream().noneMatch(jar -> isVersion(file, jar))))
                .toList();
    }

    /** Returns whether {@code file} is a version of {@code jar}: its name is the artifact's with a number after it. */
    private static boolean isVersion(Path file, Variant.Jar jar) {
        return file.getFileName() != null
                && file.getFileName().toString().matches(Pattern.quote(jar.artifact()) + "-r?\\d.*\\.jar");
    }
}
