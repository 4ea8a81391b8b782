// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import java.util.List;

/**
 * A claim with what the data says of it.
 *
 * <p>Threading: immutable.
 *
 * @param claim what was claimed
 * @param verdict by rule
 * @param reason why there is that verdict and no other, in a sentence
 * @param outcomes of the primary contrast first, and of the shapes after it
 */
public record Finding(Claim claim, Verdict verdict, String reason, List<Outcome> outcomes) {

    /** Copies the list. */
    public Finding {
        outcomes = List.copyOf(outcomes);
    }
}
