// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.result.TextFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All variants that {@code variants.txt} lists, and the checksums of their jars. Threading: stateless. */
public final class Variants {

    private static final List<Variant> ALL =
            lines("variants.txt").stream().map(Variant::parse).toList();

    private static final Map<String, String> CHECKSUMS = lines("variants.sha256").stream()
            .map(line -> line.split("\\s+", 2))
            .collect(Collectors.toUnmodifiableMap(words -> words[1], words -> words[0]));

    private Variants() {}

    /** Returns all variants, in the order of the file. */
    public static List<Variant> all() {
        return ALL;
    }

    /** Returns the variant of that id. */
    public static Variant named(String id) {
        return ALL.stream()
                .filter(variant -> variant.id().equals(id))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no variant \"" + id + "\"; variants.txt lists them"));
    }

    /** Returns an arm on the class path of the variant {@code id}, with the variant's JVM flags. */
    public static Arm arm(String name, String description, String id, Arm.Opener opener) {
        return new Arm(name, description, id, named(id).jvmFlags(), opener);
    }

    /** Returns the SHA-256 that {@code jar} must have, in hexadecimal; null for a jar that was never resolved. */
    static @Nullable String checksum(Variant.Jar jar) {
        return CHECKSUMS.get(jar.fileName());
    }

    private static List<String> lines(String resource) {
        return TextFile.resource(Variants.class, resource)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /**
     * Version of one system: the jars that come first on the class path of a fork, without transitive dependencies, and
     * the Java version and flags that it needs. Threading: immutable.
     */
    public record Variant(String id, int oldestJava, List<String> jvmFlags, List<Jar> jars) {

        private static final String OLDEST_JAVA = "java>=";
        private static final int OLDEST_JAVA_OF_ALL = 17;

        /** Copies the lists. */
        public Variant {
            jvmFlags = List.copyOf(jvmFlags);
            jars = List.copyOf(jars);
            if (jars.isEmpty()) {
                throw new IllegalArgumentException(
                        "variant " + id + " names no jar; name each as group:artifact:version");
            }
        }

        /** Reads one line of {@code variants.txt}. */
        static Variant parse(String line) {
            String[] words = line.strip().split("\\s+", -1);
            int oldestJava = OLDEST_JAVA_OF_ALL;
            List<String> flags = new ArrayList<>();
            List<Jar> jars = new ArrayList<>();
            for (int i = 1; i < words.length; i++) {
                if (words[i].startsWith(OLDEST_JAVA)) {
                    oldestJava = Integer.parseInt(words[i].substring(OLDEST_JAVA.length()));
                } else if (words[i].startsWith("-")) {
                    flags.add(words[i]);
                } else {
                    jars.add(Jar.parse(words[i]));
                }
            }
            return new Variant(words[0], oldestJava, flags, jars);
        }

        /** Jar of exactly this version in a Maven repository. */
        public record Jar(String group, String artifact, String version) {

            static Jar parse(String coordinates) {
                String[] parts = coordinates.split(":", -1);
                if (parts.length != 3) {
                    throw new IllegalArgumentException("a jar is group:artifact:version, not \"" + coordinates + "\"");
                }
                return new Jar(parts[0], parts[1], parts[2]);
            }

            /** Returns the name of the file, as Maven forms it. */
            public String fileName() {
                return artifact + "-" + version + ".jar";
            }

            /** Returns {@code group:artifact:version}. */
            public String coordinates() {
                return group + ":" + artifact + ":" + version;
            }
        }
    }
}
