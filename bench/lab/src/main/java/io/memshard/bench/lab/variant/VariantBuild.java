// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One run of Maven that copies the jars of variants into their folders: a module a variant, so that one that does not
 * resolve fails alone.
 *
 * <p>Threading: confined to one thread.
 */
final class VariantBuild {

    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

    private static final Pattern FAILURE =
            Pattern.compile("Failed to execute goal .*?on project ([^:\\s]+): (.*?)(?: -> \\[Help \\d+])?$");

    /** The project is ours, and which repository was asked is a matter of the reader's settings. */
    private static final Pattern NOISE = Pattern.compile("Could not resolve dependencies for project \\S+ "
            + "| in \\S+ \\(https?://[^)]*\\)| in https?://\\S+ during a previous attempt\\..*");

    private static final int MOST_CHARACTERS = 300;

    private final Path folder;

    VariantBuild(Path folder) {
        this.folder = folder;
    }

    /** Copies what resolves. Returns why the others do not, by id. */
    Map<String, String> run(List<Variant> variants) {
        try {
            for (Variant variant : variants) {
                Path module = Files.createDirectories(folder.resolve(variant.id()));
                Files.writeString(module.resolve("pom.xml"), pom(variant), UTF_8);
            }
            Path log = folder.resolve("resolve.log");
            Files.writeString(folder.resolve("pom.xml"), pomOfAll(variants), UTF_8);
            Process maven = new ProcessBuilder(
                            "mvn", "-B", "-ntp", "-fae", "-q", "-Dstyle.color=never", COPY, "-DoutputDirectory=.")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            maven.waitFor();
            return failures(Files.readAllLines(log, UTF_8));
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

    /** What Maven says of each module that failed. */
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
        return """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>io.memshard.lab</groupId>
                  <artifactId>%s</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <dependencies>
                %s  </dependencies>
                </project>
                """.formatted(
                        variant.id(),
                        variant.jars().stream().map(VariantBuild::dependency).collect(Collectors.joining()));
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
        return """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>io.memshard.lab</groupId>
                  <artifactId>variants</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <modules>
                %s  </modules>
                </project>
                """.formatted(variants.stream()
                .map(variant -> "    <module>" + variant.id() + "</module>\n")
                .collect(Collectors.joining()));
    }
}
