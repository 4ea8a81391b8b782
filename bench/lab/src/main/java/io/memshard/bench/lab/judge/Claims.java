// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.Digest;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.Csv;
import io.memshard.bench.statistics.Margin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * All claims, as {@code claims.csv} has them. The file is committed before the data, and its hash stands beside
 * every verdict.
 * Threading: immutable. Failure: {@link IllegalArgumentException} naming the claim and what is wrong with it.
 *
 * @param all in the order of the file
 * @param hash of the file
 */
public record Claims(List<Claim> all, String hash) {

    private static final String RESOURCE = "claims.csv";

    /** Copies the list. */
    public Claims {
        all = List.copyOf(all);
    }

    /** Returns the claims of this build. */
    public static Claims load() {
        try (InputStream in = Objects.requireNonNull(Claims.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE + ": " + e.getMessage(), e);
        }
    }

    /** Returns the claims of a file of the same form. */
    public static Claims read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Returns the claims of the content of such a file. */
    static Claims parse(String text) throws IOException {
        return new Claims(Csv.readText(text).stream().map(Claims::claim).toList(), Digest.of(text));
    }

    private static Claim claim(Map<String, String> row) {
        String name = text(row, "name");
        try {
            return new Claim(
                    name,
                    text(row, "title"),
                    text(row, "experiment"),
                    Profile.valueOf(text(row, "profile").toUpperCase(Locale.ROOT)),
                    text(row, "source"),
                    text(row, "address"),
                    text(row, "sentence"),
                    text(row, "figures"),
                    ClaimCheck.parse(text(row, "primary")),
                    Arrays.stream(text(row, "shapes").split(";", -1))
                            .map(String::strip)
                            .filter(shape -> !shape.isEmpty())
                            .map(ClaimCheck::parse)
                            .toList(),
                    new Margin(Double.parseDouble(text(row, "margin"))),
                    Integer.parseInt(text(row, "least_cpus")),
                    text(row, "change"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("claim \"" + name + "\": " + e.getMessage(), e);
        }
    }

    private static String text(Map<String, String> row, String column) {
        String value = row.get(column);
        if (value == null) {
            throw new IllegalArgumentException("claims.csv has no column \"" + column + "\"");
        }
        return value;
    }

    /**
     * A sentence of a source and how it is tested: a row of {@code claims.csv}. Threading: immutable.
     *
     * @param name of its page: lower-case letters, digits and hyphens
     * @param title in a few words
     * @param experiment whose data judges it
     * @param profile size of the machine that is meant
     * @param source who says it
     * @param address where
     * @param sentence what it says
     * @param figures its figures, or that it gives none
     * @param primary the one contrast that decides
     * @param shapes further tests, which can make the verdict weaker
     * @param margin how large a difference must be to count
     * @param leastCpus processors without which it cannot be tested
     * @param change what would change the verdict
     */
    public record Claim(
            String name,
            String title,
            String experiment,
            Profile profile,
            String source,
            String address,
            String sentence,
            String figures,
            ClaimCheck primary,
            List<ClaimCheck> shapes,
            Margin margin,
            int leastCpus,
            String change) {

        /** Copies the list and checks the name. */
        public Claim {
            if (!name.matches("[a-z0-9-]+")) {
                throw new IllegalArgumentException(
                        "a claim is named by lower-case letters, digits and hyphens, not \"" + name + "\"");
            }
            shapes = List.copyOf(shapes);
        }
    }
}
