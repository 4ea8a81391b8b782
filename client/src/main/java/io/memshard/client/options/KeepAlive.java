// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;
import java.util.Objects;

/**
 * When the operating system probes an idle TCP peer, and when it gives the peer up. Times are rounded up to whole
 * seconds.
 *
 * <p>Threading: immutable.
 *
 * @param idle how long a connection is silent before the first probe
 * @param interval the time between probes
 * @param probes how many unanswered probes end the connection, 1 to 127
 */
public record KeepAlive(Duration idle, Duration interval, int probes) {

    /** The most seconds that Linux takes. */
    private static final Duration LONGEST = Duration.ofSeconds(32767);

    private static final int MOST_PROBES = 127;

    /** Checks the parts. */
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

    public int idleSeconds() {
        return seconds(idle);
    }

    public int intervalSeconds() {
        return seconds(interval);
    }

    private static int seconds(Duration value) {
        return (int) value.plusSeconds(1).minusNanos(1).toSeconds();
    }
}
