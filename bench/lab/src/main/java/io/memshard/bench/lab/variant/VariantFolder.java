// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.Digest;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variants.Variant;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.TextFile;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder with the jars of every variant: {@code bench/lab/target/variants/<id>/*.jar}.
 *
 * <p>Maven fetches what is missing when the lab first needs it, in one run. Every jar is then compared with its
 * checksum in {@code variants.sha256}. A variant that cannot be fetched does not run, and its folder holds the reason.
 * The other variants run.
 *
 * <p>Threading: confined to one thread; one process at a time may resolve.
 */
public final class VariantFolder {

    static final String NOT_RESOLVED = "not resolved yet";

    /** System property with the folder; {@code bench/run} may set it. */
    static final String PROPERTY = "memshard.bench.variants";

    private static final String REASON = "unresolved.txt";
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

    private static final Pattern FAILURE =
            Pattern.compile("Failed to execute goal .*?on project ([^:\\s]+): (.*?)(?: -> \\[Help \\d+])?$");

    /**
     * Parts of Maven's message that a reason omits: the project itself, and the repository, which depends on settings.
     */
    private static final Pattern NOISE = Pattern.compile("Could not resolve dependencies for project \\S+ "
            + "| in \\S+ \\(https?://[^)]*\\)| in https?://\\S+ during a previous attempt\\..*");

    private static final int MOST_CHARACTERS = 300;

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

    /**
     * Fetches the missing jars of the variants of {@code arms}. Needs {@code mvn} on the PATH if any is missing.
     * Afterwards {@link #whyNot} returns the reason for each variant that still lacks jars.
     */
    public void resolve(Stream<Arm> arms) {
        List<Variant> missing = arms.map(Arm::variant)
                .filter(variant -> !variant.isEmpty() && !isClassPath(variant))
                .distinct()
                .map(Variants::named)
                .filter(variant -> !isWhole(variant))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        Map<String, String> failures = fetch(missing);
        for (Variant variant : missing) {
            String difference = difference(variant);
            if (!difference.isEmpty()) {
                String reason = failures.getOrDefault(variant.id(), difference);
                TextFile.write(folder(variant).resolve(REASON), reason + "\n");
            }
        }
    }

    /** Returns why {@code variant} cannot run in this JVM; empty if it can. */
    public Optional<String> whyNot(Variant variant) {
        if (Runtime.version().feature() < variant.oldestJava()) {
            return Optional.of("needs Java " + variant.oldestJava() + ", this is "
                    + Runtime.version().feature());
        }
        if (isWhole(variant)) {
            return Optional.empty();
        }
        Path reason = folder(variant).resolve(REASON);
        return Optional.of(Files.exists(reason) ? TextFile.read(reason).strip() : NOT_RESOLVED);
    }

    /** Returns the jars of {@code variant} in the order of the class path, whether they exist or not. */
    public List<Path> jars(Variant variant) {
        return variant.jars().stream()
                .map(jar -> folder(variant).resolve(jar.fileName()))
                .toList();
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
                        jars(variant).stream(),
                        own.stream().filter(file -> variant.jars().stream().noneMatch(jar -> isVersion(file, jar))))
                .toList();
    }

    /** Returns whether {@code file} is a version of {@code jar}: its name is the artifact's with a number after it. */
    private static boolean isVersion(Path file, Variant.Jar jar) {
        return file.getFileName() != null
                && file.getFileName().toString().matches(Pattern.quote(jar.artifact()) + "-r?\\d.*\\.jar");
    }

    private Path folder(Variant variant) {
        return folder.resolve(variant.id());
    }

    private boolean isWhole(Variant variant) {
        return difference(variant).isEmpty();
    }

    /** Returns a message on the first jar that is missing or has an unexpected checksum; empty if there is none. */
    private String difference(Variant variant) {
        for (Variant.Jar jar : variant.jars()) {
            Path file = folder(variant).resolve(jar.fileName());
            if (!Files.isRegularFile(file)) {
                return jar.coordinates() + " is not there";
            }
            String expected = Variants.checksum(jar);
            String found = Digest.whole(Csv.bytes(file));
            if (!found.equals(expected)) {
                return jar.coordinates() + " has the SHA-256 " + found + ", not "
                        + (expected == null ? "one that variants.sha256 lists" : expected);
            }
        }
        return "";
    }

    /**
     * Runs Maven once to copy the jars of all variants into their folders. Each variant is a separate module, so that a
     * variant that does not resolve fails alone. Returns the reasons of the failures, by the variant's id.
     */
    private Map<String, String> fetch(List<Variant> variants) {
        try {
            for (Variant variant : variants) {
                TextFile.write(folder(variant).resolve("pom.xml"), pom(variant));
            }
            TextFile.write(folder.resolve("pom.xml"), pomOfAll(variants));
            Path log = folder.resolve("resolve.log");
            Process maven = new ProcessBuilder(
                            "mvn", "-B", "-ntp", "-fae", "-q", "-Dstyle.color=never", COPY, "-DoutputDirectory=.")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            maven.waitFor();
            return failures(Files.readAllLines(log));
        } catch (IOException e) {
            if (e.getMessage() != null && e.getMessage().contains("Cannot run program")) {
                return variants.stream()
                        .collect(Collectors.toMap(Variant::id, variant -> "there is no mvn on the PATH"));
            }
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Maven fetched the variants", e);
        }
    }

    /** Returns Maven's message on each module that failed. */
    static Map<String, String> failures(List<String> log) {
        Map<String, String> failures = new HashMap<>();
        for (String line : log) {
            Matcher failure = FAILURE.matcher(line);
            if (failure.find()) {
                String reason = NOISE.matcher(failure.group(2)).replaceAll("");
                failures.put(
                        failure.group(1),
                        reason.length() > MOST_CHARACTERS ? reason.substring(0, MOST_CHARACTERS) + " ..." : reason);
            }
        }
        return failures;
    }

    static String pom(Variant variant) {
        return pom(
                variant.id(),
                "dependencies",
                variant.jars().stream().map(VariantFolder::dependency).collect(Collectors.joining()));
    }

    private static String dependency(Variant.Jar jar) {
        return """
                    <dependency>
                      <groupId>%s</groupId>
                      <artifactId>%s</artifactId>
                      <version>%s</version>
                      <exclusions>
                        <exclusion>
                          <groupId>*</groupId>
                          <artifactId>*</artifactId>
                        </exclusion>
                      </exclusions>
                    </dependency>
                """.formatted(jar.group(), jar.artifact(), jar.version());
    }

    private static String pomOfAll(List<Variant> variants) {
        return pom(
                "variants",
                "modules",
                variants.stream()
                        .map(variant -> "    <module>" + variant.id() + "</module>\n")
                        .collect(Collectors.joining()));
    }

    private static String pom(String artifact, String section, String content) {
        return """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>io.memshard.lab</groupId>
                  <artifactId>%1$s</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <%2$s>
                %3$s  </%2$s>
                </project>
                """.formatted(artifact, section, content);
    }
}
