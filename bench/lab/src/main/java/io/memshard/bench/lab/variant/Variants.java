// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.variant;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.bench.lab.experiment.Arm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every variant, as {@code variants.txt} lists them, and the checksums of their jars. Threading: stateless. */
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

    /** Returns an arm on the class path of the variant {@code id}, with its flags. */
    public static Arm arm(String name, String description, String id, Arm.Opener opener) {
        return new Arm(name, description, id, named(id).jvmFlags(), opener);
    }

    /** Returns the SHA-256 that {@code jar} must have, in hexadecimal; null for one that was never resolved. */
    static @Nullable String checksum(Variant.Jar jar) {
        return CHECKSUMS.get(jar.fileName());
    }

    private static List<String> lines(String resource) {
        InputStream in = Variants.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IllegalStateException(resource + " is not on the class path; build the benchmarks again");
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
