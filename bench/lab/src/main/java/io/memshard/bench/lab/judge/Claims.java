// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.Digest;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.statistics.Margin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * All claims, as {@code claims.csv} has them. The file is committed before the data, and its hash stands beside every
 * verdict. Threading: immutable. Failure: {@link IllegalArgumentException} naming the claim and what is wrong with it.
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
            return of(Path.of(RESOURCE), in.readAllBytes());
        } catch (IOException e) {
            throw TextFile.failure("read", Path.of(RESOURCE), e);
        }
    }

    /** Returns the claims of a file with {@code content} of the same form. */
    public static Claims of(Path file, byte[] content) {
        return new Claims(Csv.read(file, content).stream().map(Claims::claim).toList(), Digest.of(content));
    }

    private static Claim claim(CsvRow row) {
        String name = row.text("name");
        try {
            return new Claim(
                    name,
                    row.text("title"),
                    row.text("experiment"),
                    row.constant("profile", Profile.class),
                    row.text("source"),
                    row.text("address"),
                    row.text("sentence"),
                    row.text("figures"),
                    ClaimCheck.parse(row.text("primary")),
                    Arrays.stream(row.text("shapes").split(";", -1))
                            .map(String::strip)
                            .filter(shape -> !shape.isEmpty())
                            .map(ClaimCheck::parse)
                            .toList(),
                    new Margin(row.decimal("margin")),
                    row.integer("least_cpus"),
                    row.text("change"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("claim \"" + name + "\": " + e.getMessage(), e);
        }
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
