// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.Digest;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.statistics.Margin;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * All claims, as {@code claims.csv} has them, and version 1 of them. Version 1 was committed before the data, version 2
 * after; the hashes of both stand beside every verdict. Threading: immutable. Failure: {@link IllegalArgumentException}
 * naming the claim and what is wrong with it.
 *
 * @param all claims of the newest version
 * @param hash of their file
 * @param first claims of version 1; none if there is but one version
 * @param firstHash of the file of version 1
 */
public record Claims(List<Claim> all, String hash, List<Claim> first, String firstHash) {

    /** Returns the claims of this build. */
    public static Claims load() {
        return of(resource("claims.csv"), resource("claims-1.csv"));
    }

    private static byte[] resource(String name) {
        return TextFile.resource(Claims.class, name).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the claims of files with content of the same form, the second of them version 1 or empty. */
    public static Claims of(byte[] content, byte[] before) {
        return new Claims(
                read("claims.csv", content), Digest.of(content), read("claims-1.csv", before), Digest.of(before));
    }

    private static List<Claim> read(String name, byte[] content) {
        return content.length == 0
                ? List.of()
                : Csv.read(Path.of(name), content).stream().map(Claims::claim).toList();
    }

    /** Returns the claim of that name, if there is one. */
    public Optional<Claim> named(String name) {
        return all.stream().filter(claim -> claim.name().equals(name)).findFirst();
    }

    /** Returns the claim of version 1 that {@code claim} replaces, if there is one. */
    public Optional<Claim> before(Claim claim) {
        return first.stream().filter(each -> each.name().equals(claim.name())).findFirst();
    }

    /** Returns which claims judge a run that began with claims of the hash {@code then}. */
    public String line(String then) {
        String known = "the same as when the run began";
        if (then.equals(firstHash)) {
            known = "made after the data; version 1 `" + firstHash + "`, " + known;
        } else if (!then.equals(hash)) {
            known = "not those of the run: " + then;
        }
        return "claims " + (first.isEmpty() ? "" : "version 2 ") + "`" + hash + "`, " + known;
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
                    row.text("change"),
                    row.values().getOrDefault("other_system", ""),
                    row.values().getOrDefault("revision", ""));
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
     * @param otherSystem difference between the lab's system and the source's, which rules out a verdict; empty for
     *     none
     * @param revision what version 2 changed after the data, and why; empty for nothing
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
            String change,
            String otherSystem,
            String revision) {

        /** Checks the name. */
        public Claim {
            if (!name.matches("[a-z0-9-]+")) {
                throw new IllegalArgumentException(
                        "a claim is named by lower-case letters, digits and hyphens, not \"" + name + "\"");
            }
        }
    }
}
