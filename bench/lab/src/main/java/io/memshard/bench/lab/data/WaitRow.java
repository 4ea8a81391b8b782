// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;

/**
 * Waits of one lock profile: all of one kind, or those at one place.
 *
 * <p>Threading: immutable.
 *
 * @param experiment its name
 * @param profile size of the machine that is meant
 * @param arm its name
 * @param condition it ran under
 * @param seconds length of the recorded load
 * @param cycles that ended in it
 * @param dataLost whether the recorder dropped events
 * @param bucket why threads waited, as {@code WaitBucket} names it
 * @param ofCallers true for callers, false for the system's own threads
 * @param lockClass class of the lock, empty for all of the bucket together
 * @param frame where, empty for all of the bucket together
 * @param waits how many
 * @param totalMillis their time
 */
public record WaitRow(
        String experiment,
        Profile profile,
        String arm,
        Condition condition,
        double seconds,
        long cycles,
        boolean dataLost,
        String bucket,
        boolean ofCallers,
        String lockClass,
        String frame,
        long waits,
        double totalMillis) {

    /** Whether it stands for all waits of its bucket. */
    public boolean isTotal() {
        return frame.isEmpty();
    }

    /** Whether it is of the fork with {@code key}. */
    boolean isOf(ForkKey key) {
        return experiment.equals(key.experiment())
                && profile == key.profile()
                && arm.equals(key.arm())
                && condition.equals(key.condition());
    }

    /** Waits for 1,000 cycles. */
    public double waitsPerThousand() {
        return cycles == 0 ? 0 : 1e3 * waits / cycles;
    }

    /** Milliseconds waited in a second by each caller, or by all threads of the system together. */
    public double millisPerSecond() {
        return totalMillis / seconds / (ofCallers ? condition.threads() : 1);
    }
}
