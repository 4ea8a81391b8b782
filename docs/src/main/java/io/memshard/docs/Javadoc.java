// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Javadoc of the artifacts whose builds have written it. Pages of the site link to the javadoc.
 *
 * <p>Threading: immutable.
 *
 * @param files folders of the site for javadoc, by the folders of the repository that have it
 * @param types javadoc pages of the site, by the names of their types with the package
 */
record Javadoc(Map<Path, Path> files, Map<String, Path> types) {

    /** Folders of the artifacts, whose builds write javadoc with the profile {@code release}. */
    private static final List<String> ARTIFACTS = List.of(
            "client",
            "sharding",
            "template-compat",
            "template-compat/spring",
            "template-compat/spring-boot",
            "testkit");

    /** Two cells of a table: a type, and its package. */
    private static final Pattern TYPE =
            Pattern.compile("<td><code>(\\w+)</code></td>(\\s*)<td><code>(io\\.memshard[\\w.]*)</code></td>");

    /** Path of the page of a type, below the folder of its module if the artifact is a module. */
    private static final Pattern PAGE =
            Pattern.compile("(?:io\\.memshard[\\w.]*/)?(io/memshard/(?:[a-z]\\w*/)*)([A-Z]\\w*)\\.html");

    /** Finds the javadoc of a repository. */
    static Javadoc of(Path root) throws IOException {
        Map<Path, Path> files = new HashMap<>();
        Map<String, Path> types = new HashMap<>();
        for (String artifact : ARTIFACTS) {
            Path built = root.resolve(artifact).resolve("target/reports/apidocs");
            if (!Files.isDirectory(built)) {
                continue;
            }
            Path folder = Path.of("javadoc").resolve(artifact);
            files.put(built, folder);
            for (Path page : filesIn(built)) {
                Path path = built.relativize(page);
                Matcher type = PAGE.matcher(path.toString().replace('\\', '/'));
                if (type.matches()) {
                    types.put(type.group(1).replace('/', '.') + type.group(2), folder.resolve(path));
                }
            }
        }
        return new Javadoc(files, types);
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Returns the HTML of a page, in which tables of types link to the javadoc of these types. */
    String linked(Page page) {
        return TYPE.matcher(page.body()).replaceAll(found -> {
            Path target = types.get(found.group(3) + '.' + found.group(1));
            String cell = target == null
                    ? found.group()
                    : "<td><a href=\"" + page.linkTo(target) + "\"><code>" + found.group(1) + "</code></a></td>"
                            + found.group(2) + "<td><code>" + found.group(3) + "</code></td>";
            return Matcher.quoteReplacement(cell);
        });
    }

    /** Copies all files into the folder of the site. */
    void copyTo(Path site) throws IOException {
        for (Map.Entry<Path, Path> each : files.entrySet()) {
            for (Path file : filesIn(each.getKey())) {
                Path copy = site.resolve(each.getValue()).resolve(each.getKey().relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
