// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;

/**
 * Which fork of a run: no two have the same.
 *
 * <p>Threading: immutable.
 *
 * @param experiment its name
 * @param profile size of the machine that is meant
 * @param block from 1
 * @param arm its name; that of the baseline with {@value #AGAIN} for the A/A run
 * @param condition it ran under
 * @param profiled whether its locks were recorded; such a fork is not timed
 */
public record ForkKey(
        String experiment, Profile profile, int block, String arm, Condition condition, boolean profiled) {

    /** What stands after the baseline's name in its second run. */
    public static final String AGAIN = "-again";

    /** The arm that is opened. */
    public String openedArm() {
        return arm.endsWith(AGAIN) ? arm.substring(0, arm.length() - AGAIN.length()) : arm;
    }

    /** For a person. */
    public String label() {
        return experiment + " " + arm + " " + condition.label() + (profiled ? " (lock profile)" : "");
    }
}
