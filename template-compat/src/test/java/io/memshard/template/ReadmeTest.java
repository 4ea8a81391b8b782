package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadmeTest {

    private static final Path README = Path.of("../README.md");
    private static final Path EXAMPLES = Path.of("src/test/java/io/memshard/template/ReadmeExamples.java");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");

    static Stream<Path> documentsWithExamples() throws IOException {
        try (Stream<Path> docs = Files.list(Path.of("../docs"))) {
            return Stream.concat(
                    Stream.of(README),
                    docs.filter(document -> document.toString().endsWith(".md")))
                    .filter(ReadmeTest::hasExamples)
                    .toList()
                    .stream();
        }
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
        String compiled = withoutBlanks(Files.readString(EXAMPLES));
        List<String> blocks = JAVA_BLOCK
                .matcher(Files.readString(document))
                .results()
                .map(block -> withoutBlanks(block.group(1)))
                .toList();
        assertThat(blocks).isNotEmpty().allSatisfy(block -> assertThat(compiled).contains(block));
    }

    @Test
    void everyLinkToAFileLeadsSomewhere() throws IOException {
        Matcher links = LINK.matcher(Files.readString(README));
        assertThat(links.results().map(link -> link.group(1)).filter(target -> !target.contains("://")))
                .isNotEmpty()
                .allSatisfy(target -> assertThat(README.resolveSibling(target)).exists());
    }

    private static String withoutBlanks(String code) {
        return code.replaceAll("\\s+", "");
    }
}
