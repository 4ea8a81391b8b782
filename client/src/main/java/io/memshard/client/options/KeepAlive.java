// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of TCP keep-alive: when the operating system probes an idle peer, and when it closes the connection. Times
 * are rounded up to whole seconds.
 *
 * <p>Threading: immutable.
 *
 * @param idle time of silence before the first probe
 * @param interval time between probes
 * @param probes number of unanswered probes that end the connection, 1 to 127
 */
public record KeepAlive(Duration idle, Duration interval, int probes) {

    /** Longest time that Linux accepts. */
    private static final Duration LONGEST = Duration.ofSeconds(32767);

    private static final int MOST_PROBES = 127;

    /** Checks the times and the number. */
    public KeepAlive {
        checkDuration("idle", idle);
        checkDuration("interval", interval);
        if (probes < 1 || probes > MOST_PROBES) {
            throw new IllegalArgumentException("keepAlive probes is " + probes + ": it is 1 to " + MOST_PROBES);
        }
    }

    private static void checkDuration(String name, Duration value) {
        Objects.requireNonNull(value, "keepAlive " + name + " is null");
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "keepAlive " + name + " is " + value + ": it is more than zero and at most " + LONGEST);
        }
    }

    /** Returns {@link #idle} in whole seconds, rounded up. */
    public int idleSeconds() {
        return seconds(idle);
    }

    /** Returns {@link #interval} in whole seconds, rounded up. */
    public int intervalSeconds() {
        return seconds(interval);
    }

    private static int seconds(Duration value) {
        return (int) value.plusSeconds(1).minusNanos(1).toSeconds();
    }
}
