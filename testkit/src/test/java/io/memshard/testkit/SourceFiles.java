// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Files of all modules, except those in folders that git ignores: they belong to a build or a run. */
final class SourceFiles {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private SourceFiles() {}

    static List<Path> all() throws IOException {
        return below(ROOT);
    }

    static List<Path> below(Path root) throws IOException {
        Set<String> ignored = Files.readAllLines(root.resolve(".gitignore"), UTF_8).stream()
                .filter(line -> line.endsWith("/"))
                .collect(Collectors.toSet());
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                boolean isIgnored = name.startsWith(".")
                        || ignored.contains(name + '/')
                        || ignored.contains(root.relativize(directory) + "/");
                return isIgnored && !directory.equals(root) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /** Returns the sources of Java whose path below the root is wanted, in order. */
    static List<Path> javaFiles(Predicate<String> isWanted) {
        try {
            return all().stream()
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> isWanted.test(ROOT.relativize(file).toString()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the places and the text of the lines that are wanted. */
    static List<String> lines(List<Path> files, Predicate<String> isWanted) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file, UTF_8);
            for (int i = 0; i < lines.size(); i++) {
                if (isWanted.test(lines.get(i))) {
                    found.add(place(file, i) + ": " + lines.get(i).strip());
                }
            }
        }
        return found;
    }

    /** Returns the place of a line, in the format that an IDE opens. */
    static String place(Path file, int index) {
        return ROOT.relativize(file) + ":" + (index + 1);
    }
}
