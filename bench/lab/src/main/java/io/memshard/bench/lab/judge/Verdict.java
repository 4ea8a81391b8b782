// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

/** What the data says of a claim, by rule. */
public enum Verdict {
    /** The primary contrast and every shape hold. */
    REPRODUCED("reproduced"),
    /** The primary contrast holds, but it is smaller than claimed, or a shape does not hold. */
    PARTLY("partly reproduced"),
    /** The primary contrast does not hold: there is no such difference, or the opposite. */
    NOT_REPRODUCED("not reproduced"),
    /** The interval of the primary contrast allows both. */
    INCONCLUSIVE("inconclusive"),
    /** An arm, a machine or a program that the claim needs is not here. */
    NOT_TESTABLE("not testable here"),
    /** There is no data from which a verdict may follow. */
    NONE("no verdict");

    private final String label;

    Verdict(String label) {
        this.label = label;
    }

    /** For a person. */
    public String label() {
        return label;
    }
}
