// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.statistics.Margin;
import java.util.List;

/**
 * A sentence of a source and how it is tested: a row of {@code claims.csv}.
 *
 * <p>Threading: immutable.
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
