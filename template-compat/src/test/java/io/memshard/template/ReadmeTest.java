// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadmeTest {

    private static final Path ROOT = Path.of("..");

    /** Folders of the examples: here, and in the nested modules. */
    private static final List<Path> SOURCES =
            List.of(Path.of("src/test/java"), Path.of("spring/src/test/java"), Path.of("spring-boot/src/test/java"));

    /** Folder of the examples in Kotlin, which the profile compatibility compiles and runs. */
    private static final Path KOTLIN_SOURCES = Path.of("compatibility/kotlin/src/test/kotlin");

    private static final Pattern KOTLIN_BLOCK = Pattern.compile("```kotlin\n(.*?)```", Pattern.DOTALL);

    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    static List<Path> documentsWithExamples() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String folder : List.of("", "docs", "docs/adr", "docs/migrating", "bench")) {
            try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md"))
                        .filter(ReadmeTest::hasExamples)
                        .forEach(documents::add);
            }
        }
        return documents;
    }

    private static boolean hasExamples(Path document) {
        try {
            return JAVA_BLOCK.matcher(Files.readString(document)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("documentsWithExamples")
    void everyExampleIsCompiled(Path document) throws IOException {
        List<String> compiled = new ArrayList<>();
        for (Path sources : SOURCES) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(ReadmeTest::isForExamples).toList()) {
                    compiled.add(withoutBlanks(Files.readString(file)));
                }
            }
        }
        List<String> blocks = JAVA_BLOCK
                .matcher(Files.readString(document))
                .results()
                .map(block -> withoutBlanks(block.group(1)))
                .toList();
        assertThat(blocks)
                .isNotEmpty()
                .allSatisfy(block -> assertThat(compiled)
                        .anySatisfy(source -> assertThat(source).contains(block)));
    }

    @Test
    void everyKotlinExampleMatchesItsProject() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/clients.md"));
        StringBuilder compiled = new StringBuilder();
        try (Stream<Path> files = Files.walk(KOTLIN_SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                compiled.append(withoutBlanks(Files.readString(file)));
            }
        }
        assertThat(KOTLIN_BLOCK.matcher(page).results().map(block -> withoutBlanks(block.group(1))))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(compiled).contains(block));
    }

    @Test
    void theLibrariesOfAPoolHaveTheVersionsOfTheProject() throws IOException {
        String project = Files.readString(ROOT.resolve("pom.xml"));
        assertThat(Pattern.compile("<artifactId>(spymemcached|commons-pool2)</artifactId>\\s*<version>(.+?)</version>")
                        .matcher(Files.readString(ROOT.resolve("docs/migrating/pooled-spymemcached.md")))
                        .results())
                .hasSize(2)
                .allSatisfy(library ->
                        assertThat(project).contains("<%s.version>%s</".formatted(library.group(1), library.group(2))));
    }

    private static boolean isForExamples(Path file) {
        return file.endsWith("Hello.java")
                || file.endsWith("ShopApplication.java")
                || file.getFileName().toString().matches(".*Examples(IT)?\\.java");
    }

    private static String withoutBlanks(String code) {
        return code.replaceAll("\\s+", "");
    }
}
