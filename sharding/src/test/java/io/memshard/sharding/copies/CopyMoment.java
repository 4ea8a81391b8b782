// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.util.List;

/** Moments of a copy of the item {@code k}: before and after each of its commands. */
public enum CopyMoment {
    BEFORE_CLAIM,
    AFTER_CLAIM,
    BEFORE_READ,
    AFTER_READ,
    BEFORE_STORE,
    AFTER_STORE;

    /** The step happens at this moment of the next copy. */
    public void at(FakeFleet source, FakeFleet target, Runnable step) {
        at("mg k N", source, target, step);
    }

    /** The same where the claim begins otherwise. */
    public void at(String claim, FakeFleet source, FakeFleet target, Runnable step) {
        String command = List.of(claim, "mg k v f t", "ms k").get(ordinal() / 2);
        FakeFleet fleet = this == BEFORE_READ || this == AFTER_READ ? source : target;
        if (ordinal() % 2 == 0) {
            fleet.before(command, step);
        } else {
            fleet.after(command, step);
        }
    }
}
