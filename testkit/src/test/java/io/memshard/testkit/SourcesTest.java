// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static io.memshard.testkit.SourceFiles.ROOT;
import static io.memshard.testkit.SourceFiles.javaFiles;
import static io.memshard.testkit.SourceFiles.lines;
import static io.memshard.testkit.SourceFiles.place;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the sources of all modules and the manual that neither the formatter nor the compiler checks. */
class SourcesTest {

    private static final int MAX_COLUMNS = 120;

    /** Longest sentence that a reader understands at once. */
    private static final int MAX_WORDS = 30;

    private static final int MAX_TYPES = 36;
    private static final int MAX_LINES = 500;

    /** Words that begin a clause. A javadoc begins with a verb (methods) or a noun (types, fields) instead. */
    private static final Set<String> CLAUSE_WORDS =
            Set.of("what", "how", "whether", "as", "has", "of", "who", "why", "where", "when", "which");

    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);

    /** Address of a link, which cannot be broken across lines and is not read. */
    private static final Pattern LINK_TARGET = Pattern.compile("\\]\\([^)]*\\)");

    /** Line that is a string. A string reads better whole, and the formatter does not break it either. */
    private static final Pattern STRING = Pattern.compile("[\\s+]*\".*\"[,;)]*");

    private static final Pattern FUZZ_TARGET = Pattern.compile("@FuzzTest\\b.*?\\bvoid (\\w+)\\(", Pattern.DOTALL);

    /** Test class, one of its methods, or a method of the previous class. */
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Test|IT))?(?:\\.(\\w+))?`");

    /** Covers the files of packages and modules too, which the formatter leaves out. */
    @Test
    void everyFileOfJavaNamesItsLicence() throws IOException {
        List<String> without = new ArrayList<>();
        for (Path file : javaFiles(file -> true)) {
            if (!Files.readString(file, UTF_8).startsWith("// SPDX-License-Identifier: Apache-2.0\n")) {
                without.add(ROOT.relativize(file).toString());
            }
        }
        assertThat(without).as("without a licence in the first line").isEmpty();
    }

    @Test
    void linesOfJavaAreNoLongerThanTheFormatterMakesThem() throws IOException {
        assertThat(lines(
                        javaFiles(file -> true),
                        line -> columns(line) > MAX_COLUMNS
                                && !STRING.matcher(line).matches()))
                .as("longer than %s columns", MAX_COLUMNS)
                .isEmpty();
    }

    /** Excepts tables, examples, generated parts and lines that begin with a command. */
    @Test
    void linesOfTheManualAreNoLongerThanThoseOfTheCode() throws IOException {
        List<String> longer = new ArrayList<>();
        for (Path file : SourceFiles.all().stream()
                .filter(file -> file.toString().endsWith(".md"))
                .filter(file -> !file.startsWith(ROOT.resolve("docs/results")))
                .sorted()
                .toList()) {
            List<String> lines = Files.readAllLines(file, UTF_8);
            boolean isExample = false;
            boolean isGenerated = false;
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                isExample ^= line.startsWith("```");
                if (line.startsWith("<!-- ")) {
                    isGenerated = !line.equals("<!-- end -->");
                }
                boolean isProse = !isExample && !isGenerated && !line.startsWith("|") && !line.startsWith("`");
                if (isProse && columns(LINK_TARGET.matcher(line).replaceAll("]")) > MAX_COLUMNS) {
                    longer.add(place(file, i));
                }
            }
        }
        assertThat(longer).as("longer than %s columns", MAX_COLUMNS).isEmpty();
    }

    private static int columns(String line) {
        return line.codePointCount(0, line.length());
    }

    /** Checks that the page on consistency names existing tests, by class or by class and method. */
    @Test
    void theTestsThatThePageOnConsistencyNamesExist() throws IOException {
        Map<String, Path> tests = javaFiles(file -> file.contains("src/test/")).stream()
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replace(".java", ""), file -> file, (one, other) -> one));
        Matcher named = NAMED_TEST.matcher(Files.readString(ROOT.resolve("docs/consistency.md"), UTF_8));
        List<String> unknown = new ArrayList<>();
        Path last = null;
        int count = 0;
        while (named.find()) {
            last = named.group(1) == null ? last : tests.get(named.group(1));
            count++;
            if (last == null
                    || named.group(2) != null
                            && !Files.readString(last, UTF_8).contains("void " + named.group(2) + '(')) {
                unknown.add(named.group());
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(count).isGreaterThan(30);
    }

    /** Guards the rule of one concern: a larger package has more than one. */
    @Test
    void noPackageHasManyTypes() {
        Map<Path, Long> sizes = javaFiles(file -> file.contains("src/main/") && !file.endsWith("-info.java")).stream()
                .collect(Collectors.groupingBy(file -> ROOT.relativize(file.getParent()), Collectors.counting()));
        assertThat(sizes)
                .allSatisfy((folder, types) ->
                        assertThat(types).as("types in %s", folder).isLessThanOrEqualTo(MAX_TYPES));
    }

    @Test
    void noFileOfMainCodeIsTooLong() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : javaFiles(name -> name.contains("src/main/"))) {
            int lines = Files.readAllLines(file, UTF_8).size();
            if (lines > MAX_LINES) {
                tooLong.add(ROOT.relativize(file) + " has " + lines);
            }
        }
        assertThat(tooLong).as("files of more than %s lines", MAX_LINES).isEmpty();
    }

    /** Jazzer fuzzes only the first target of a class, and stores findings only if a folder for them exists. */
    @Test
    void aFuzzTestHasOneTargetAndAFolderForItsFindings() throws IOException {
        for (Path file : javaFiles(file -> file.endsWith("FuzzTest.java"))) {
            Matcher target = FUZZ_TARGET.matcher(Files.readString(file, UTF_8));
            assertThat(target.find()).as("a target in %s", file).isTrue();
            String folder = file.toString().replace("/java/", "/resources/").replace(".java", "Inputs");
            assertThat(Path.of(folder, target.group(1))).isNotEmptyDirectory();
            assertThat(target.find()).as("a second target in %s", file).isFalse();
        }
    }

    /** Returns the faults of the javadoc of main code, with their places. */
    private static List<String> faultsOfJavadoc(Function<String, Stream<String>> faults) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : javaFiles(file -> file.contains("src/main/"))) {
            String source = Files.readString(file, UTF_8);
            Matcher javadoc = JAVADOC.matcher(source);
            while (javadoc.find()) {
                int line = (int) source.substring(0, javadoc.start()).lines().count();
                faults.apply(javadoc.group(1)).forEach(fault -> found.add(place(file, line) + ": " + fault));
            }
        }
        return found;
    }

    @Test
    void javadocBeginsWithAVerbOrANoun() throws IOException {
        assertThat(faultsOfJavadoc(text -> Stream.of(Javadoc.firstWord(text))
                        .filter(word -> CLAUSE_WORDS.contains(word.toLowerCase(Locale.ROOT)))))
                .as("javadoc that begins with a clause: begin with a verb or a noun")
                .isEmpty();
    }

    private static Stream<String> sentencesAbove(int words, String text) {
        return Javadoc.sentences(text).stream().filter(sentence -> sentence.split(" ").length > words);
    }

    @Test
    void sentencesOfJavadocAreShort() throws IOException {
        assertThat(faultsOfJavadoc(text -> sentencesAbove(MAX_WORDS, text)))
                .as("sentences of more than %s words", MAX_WORDS)
                .isEmpty();
        assertThat(faultsOfJavadoc(text -> sentencesAbove(MAX_WORDS / 2, text))).isNotEmpty();
    }
}
