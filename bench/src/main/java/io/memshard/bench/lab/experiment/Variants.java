// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.TextFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Versions of libraries, whose jars Maven copies. Only one process at a time may call {@link #resolve}. */
public record Variants(Path folder) {

    private static final String PROPERTY = "memshard.bench.variants";

    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

    private static final List<List<String>> ALL = TextFile.resource(Variants.class, "variants.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> List.of(line.split("\\s+", -1)))
            .toList();

    public Variants {
        folder = folder.toAbsolutePath();
    }

    public static Variants configured(Path otherwise) {
        String configured = System.getProperty(PROPERTY, "");
        return new Variants(configured.isBlank() ? otherwise : Path.of(configured));
    }

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
            // Without mvn on the PATH, variants whose jars are missing do not run.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while Maven copied " + jar, e);
        }
    }

    List<String> missing(Arm arm) {
        return jars(arm).filter(jar -> !Files.isRegularFile(file(jar))).toList();
    }

    /** Returns the class path, with the jars of the arm's variant before {@code own}. */
    public String classPath(Arm arm, String own) {
        List<String> missing = missing(arm);
        if (!missing.isEmpty()) {
            throw new BenchException("variant " + arm.variant() + ": Maven has not copied " + missing.get(0)
                    + ": put mvn on the PATH, and check that Maven can download this jar");
        }
        Stream<String> first = isClassPath(arm)
                ? Stream.of(arm.variant())
                : jars(arm).map(jar -> file(jar).toString());
        return Stream.concat(first, Stream.of(own)).collect(Collectors.joining(File.pathSeparator));
    }

    private static Stream<String> jars(Arm arm) {
        return arm.variant().isEmpty() || isClassPath(arm) ? Stream.empty() : jars(arm.variant()).stream();
    }

    private static boolean isClassPath(Arm arm) {
        return arm.variant().contains(File.separator);
    }

    private Path file(String jar) {
        String[] parts = jar.split(":", -1);
        return folder.resolve(parts[1] + "-" + parts[2] + ".jar");
    }

    public static Arm arm(String name, String id, Arm.Opener opener) {
        List<String> flags = words(id).filter(word -> word.startsWith("-")).toList();
        return new Arm(name, id, flags, opener);
    }

    static List<String> jars(String id) {
        return words(id).filter(word -> !word.startsWith("-")).toList();
    }

    private static Stream<String> words(String id) {
        List<String> line = ALL.stream()
                .filter(words -> words.get(0).equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown variant \"" + id + "\"; variants.txt lists the variants"));
        return line.stream().skip(1);
    }
}
