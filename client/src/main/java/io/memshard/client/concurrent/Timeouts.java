// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.time.Duration;
import java.util.Objects;

/** Range of a timeout. */
public final class Timeouts {

    /** Longest timeout: 24 whole days, because sockets store timeouts as an int of milliseconds. */
    public static final Duration LONGEST = Duration.ofDays(24);

    private Timeouts() {}

    /** Returns the timeout, or throws an exception that names the setting if the timeout is out of range. */
    public static Duration check(String setting, Duration timeout) {
        Objects.requireNonNull(timeout, () -> setting + " is null");
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    setting + " is " + timeout + ", but must be more than zero and at most " + LONGEST);
        }
        return timeout;
    }
}
