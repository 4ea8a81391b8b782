// SPDX-License-Identifier: Apache-2.0
package io.memshard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The packages of docs/api.md are those of docs/exported-api.txt. */
class ApiPageTest {

    private static final Path DOCS = Path.of("..", "docs");

    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\| `([a-z.]+)` \\|.*$", Pattern.MULTILINE);

    private static final Pattern TYPE = Pattern.compile("^public .*?(?:class|interface) ([\\w.]+)", Pattern.MULTILINE);

    @Test
    void eachTypeOfThePageIsInItsPackage() throws IOException {
        String page = Files.readString(DOCS.resolve("api.md"));
        List<String> named = ROW.matcher(page)
                .results()
                .map(row -> row.group(2) + '.' + row.group(1))
                .toList();
        Set<String> exported = TYPE.matcher(Files.readString(DOCS.resolve("exported-api.txt")))
                .results()
                .map(type -> type.group(1))
                .collect(Collectors.toSet());

        assertThat(named).hasSizeGreaterThan(20).doesNotHaveDuplicates().isSubsetOf(exported);
        assertThat(page.lines().filter(line -> line.startsWith("| `"))).hasSameSizeAs(named);
    }
}
