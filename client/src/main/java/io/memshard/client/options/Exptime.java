// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * Times to live in memcached's terms.
 *
 * <p>Protocol: protocol.txt, section "Expiration times".
 */
public final class Exptime {

    /** The server reads a larger exptime as a unix time. */
    private static final long MAX_RELATIVE_SECONDS = Duration.ofDays(30).toSeconds();

    /** Memcached takes a time of 1970 for over, and writes this one itself for a negative exptime. */
    private static final int OVER_SINCE_1970 = (int) MAX_RELATIVE_SECONDS + 1;

    /** The time to live of an item that never expires: that of {@link java.time.temporal.ChronoUnit#FOREVER}. */
    public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    /** The time to live of an item that is over when it is stored. */
    public static final Duration OVER = NEVER.negated();

    private static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);
    private static final long NANOS_TO_ROUND_UP = 999_999_999;

    private Exptime() {}

    /**
     * The exptime of an item that lives for {@code ttl}: seconds up to 30 days, above that a unix time. A part of a
     * second counts as a whole one.
     *
     * @param ttl more than zero, {@link #NEVER} or {@link #OVER}
     * @param clock tells the time, for items that live longer than 30 days
     * @throws IllegalArgumentException if the time is zero or negative, or ends after 2038-01-19, as memcached's clock
     *     does
     * @throws IllegalStateException if the clock is before 1970, so that a time above 30 days cannot be told
     */
    public static int of(Duration ttl, Clock clock) {
        Objects.requireNonNull(ttl, "ttl is null");
        if (ttl.equals(NEVER)) {
            return 0;
        }
        if (ttl.equals(OVER)) {
            return OVER_SINCE_1970;
        }
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("ttl is " + ttl + ": it is more than zero. Write TimeToLive.NEVER for an"
                    + " item that never expires, TimeToLive.until(instant) for one that may be over");
        }
        return seconds("ttl", ttl, clock);
    }

    /**
     * As {@link #of(Duration, Clock)}, for a time that is no time to live.
     *
     * @param option its name
     * @param time zero, which is 0, or positive
     */
    public static int of(String option, Duration time, Clock clock) {
        Objects.requireNonNull(time, () -> option + " is null");
        if (time.isNegative()) {
            throw new IllegalArgumentException(option + " is " + time + ": it is zero or positive");
        }
        return seconds(option, time, clock);
    }

    private static int seconds(String option, Duration ttl, Clock clock) {
        if (ttl.compareTo(LONGEST) > 0) {
            throw beyondTheServersClock(option, ttl);
        }
        long seconds = ttl.plusNanos(NANOS_TO_ROUND_UP).toSeconds();
        if (seconds <= MAX_RELATIVE_SECONDS) {
            return (int) seconds;
        }
        long exptime = clock.instant().getEpochSecond() + seconds;
        if (exptime <= MAX_RELATIVE_SECONDS) {
            // The server would take it for another time: a few days, never, or at once.
            throw new IllegalStateException("the clock of this machine is at " + clock.instant() + ": set it, because "
                    + option + "=" + ttl + " is sent as a time of day");
        }
        if (exptime > Integer.MAX_VALUE) {
            throw beyondTheServersClock(option, ttl);
        }
        return (int) exptime;
    }

    private static IllegalArgumentException beyondTheServersClock(String option, Duration ttl) {
        return new IllegalArgumentException(option + " is " + ttl + ": memcached keeps time up to 2038-01-19");
    }
}
