// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.statistics.Margin;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Claims of articles, from {@code claims.csv}, with the hash of this file. */
public record Claims(List<Claim> all, String hash) {

    private static final String FILE = "claims.csv";

    public static Claims load() {
        return of(TextFile.resource(Claims.class, FILE).getBytes(StandardCharsets.UTF_8));
    }

    public static Claims of(byte[] content) {
        return new Claims(
                Csv.read(Path.of(FILE), content).stream().map(Claims::claim).toList(), TextFile.digest(content));
    }

    public Claim named(String name) {
        return all.stream()
                .filter(claim -> claim.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no claim \"" + name + "\""));
    }

    public String line(String then) {
        return "claims `" + hash + "`"
                + (then.equals(hash)
                        ? ", the same as when the run began"
                        : ", made after the run, which began with `" + then + "`");
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
                    row.decimalOrNaN("source_ratio"),
                    ClaimCheck.parse(row.text("primary")),
                    Arrays.stream(row.text("shapes").split(";", -1))
                            .map(String::strip)
                            .filter(shape -> !shape.isEmpty())
                            .map(ClaimCheck::parse)
                            .toList(),
                    new Margin(row.of("margin", Double::valueOf)),
                    row.text("change"),
                    row.text("other_system"),
                    row.text("revision"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("claim \"" + name + "\": " + e.getMessage(), e);
        }
    }

    /** Sentence of an article with its tests. There is no verdict if {@code otherSystem} is not empty. */
    public record Claim(
            String name,
            String title,
            String experiment,
            Profile profile,
            String source,
            String address,
            String sentence,
            String figures,
            double sourceRatio,
            ClaimCheck primary,
            List<ClaimCheck> shapes,
            Margin margin,
            String change,
            String otherSystem,
            String revision) {

        public Claim {
            if (!Double.isNaN(sourceRatio) && !primary.holdsFor(sourceRatio, margin)) {
                throw new IllegalArgumentException(
                        "the published ratio " + sourceRatio + " does not pass the test \"" + primary.text() + "\"");
            }
        }
    }
}
