// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Program that prints which tests a build skipped because the machine lacks a program or a resource. */
public final class SkippedTests {

    static final String LACK = "this machine lacks ";
    private static final Pattern REASON = Pattern.compile(LACK + "(?<what>[^\n]*)");

    private final Path root;
    private final Instant start;
    private final Map<String, Skipped> lacks = new TreeMap<>();

    private int others;

    private static final class Skipped {
        private int tests;
        private final TreeSet<String> modules = new TreeSet<>();
    }

    private SkippedTests(Path root, Instant start) {
        this.root = root;
        this.start = start;
    }

    /** Prints the summary. The arguments are the repository, and the time at which Maven started the build. */
    public static void main(String[] arguments) throws IOException {
        of(Path.of(arguments[0]).toAbsolutePath().normalize(), Instant.parse(arguments[1]))
                .forEach(System.out::println);
    }

    /** Returns the summary of all reports from after {@code start}; empty if the machine lacked nothing. */
    static List<String> of(Path root, Instant start) throws IOException {
        SkippedTests skipped = new SkippedTests(root, start);
        skipped.readReports();
        return skipped.lines();
    }

    private void readReports() throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                String name = String.valueOf(directory.getFileName());
                if (name.equals("target")) {
                    readReportsIn(directory.resolve("surefire-reports"));
                    readReportsIn(directory.resolve("failsafe-reports"));
                }
                boolean mayHaveModules = !name.equals("target") && !name.equals("src") && !name.startsWith(".");
                return mayHaveModules || directory.equals(root)
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.SKIP_SUBTREE;
            }
        });
    }

    private void readReportsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> reports = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> String.valueOf(file.getFileName()).matches("TEST-.*\\.xml"))
                    .forEach(reports::add);
        }
        String module = root.relativize(folder.resolve("../..").normalize()).toString();
        for (Path report : reports) {
            if (!Files.getLastModifiedTime(report).toInstant().isBefore(start)) {
                read(report, module);
            }
        }
    }

    private void read(Path report, String module) throws IOException {
        NodeList elements;
        try {
            elements = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("skipped");
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("cannot read " + report, e);
        }
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            Matcher reason = REASON.matcher(element.getAttribute("message") + '\n' + element.getTextContent());
            if (reason.find()) {
                Skipped skipped = lacks.computeIfAbsent(reason.group("what"), what -> new Skipped());
                skipped.tests++;
                skipped.modules.add(module);
            } else {
                others++;
            }
        }
    }

    private List<String> lines() {
        if (lacks.isEmpty()) {
            return List.of();
        }
        int tests = lacks.values().stream().mapToInt(each -> each.tests).sum();
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Tests skipped because this machine lacks something: " + tests);
        lacks.forEach((what, skipped) ->
                lines.add("%5d in %s: it lacks %s".formatted(skipped.tests, String.join(", ", skipped.modules), what)));
        lines.add("Tests skipped for other reasons, which their reports name: " + others);
        lines.add("");
        return lines;
    }
}
