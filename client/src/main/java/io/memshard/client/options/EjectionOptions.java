// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;

/**
 * When a server counts as down, and when as up again.
 *
 * <p>Threading: immutable.
 *
 * @param ejectAfter after how many failures in a row, over all its connections, a server is ejected: 2 to 1,000,000
 * @param probeDelay how long to wait between probes of an ejected server
 * @param takeBackAfter after how many answered probes in a row it is taken back: 1 to 1,000
 */
public record EjectionOptions(int ejectAfter, Backoff probeDelay, int takeBackAfter) {

    private static final int MOST_FAILURES = 1_000_000;
    private static final int MOST_ANSWERS = 1_000;

    /** 5 failures, probes up to 200 ms apart at first and 5 s in the end, 2 answers. */
    public static final EjectionOptions DEFAULTS =
            new EjectionOptions(5, new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5)), 2);

    /** Checks the parts. */
    public EjectionOptions {
        checkRange("ejectAfter", ejectAfter, 2, MOST_FAILURES);
        checkRange("takeBackAfter", takeBackAfter, 1, MOST_ANSWERS);
    }

    private static void checkRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " is " + value + ": it is " + least + " to " + most);
        }
    }

    /** The same with another {@link #ejectAfter}. */
    public EjectionOptions withEjectAfter(int failures) {
        return new EjectionOptions(failures, probeDelay, takeBackAfter);
    }

    /** The same with another {@link #probeDelay}. */
    public EjectionOptions withProbeDelay(Backoff delay) {
        return new EjectionOptions(ejectAfter, delay, takeBackAfter);
    }

    /** The same with another {@link #takeBackAfter}. */
    public EjectionOptions withTakeBackAfter(int answers) {
        return new EjectionOptions(ejectAfter, probeDelay, answers);
    }
}
