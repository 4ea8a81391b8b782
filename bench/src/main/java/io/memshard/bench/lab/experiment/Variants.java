// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import io.memshard.bench.result.TextFile;
import java.util.List;
import java.util.stream.Stream;

/**
 * Versions of systems that {@code variants.txt} lists: the jars that come first on the class path of a fork, without
 * transitive dependencies, and the JVM flags that they need. Threading: stateless.
 */
public final class Variants {

    private static final List<List<String>> ALL = TextFile.resource(Variants.class, "variants.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> List.of(line.split("\\s+", -1)))
            .toList();

    private Variants() {}

    /** Returns an arm on the class path of the variant {@code id}, with the variant's JVM flags. */
    public static Arm arm(String name, String id, Arm.Opener opener) {
        List<String> flags = words(id).filter(word -> word.startsWith("-")).toList();
        return new Arm(name, id, flags, opener);
    }

    /** Returns the jars of the variant {@code id}, each as {@code group:artifact:version}. */
    static List<String> jars(String id) {
        return words(id).filter(word -> !word.startsWith("-")).toList();
    }

    private static Stream<String> words(String id) {
        List<String> line = ALL.stream()
                .filter(words -> words.get(0).equals(id))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no variant \"" + id + "\"; variants.txt lists them"));
        return line.stream().skip(1);
    }
}
