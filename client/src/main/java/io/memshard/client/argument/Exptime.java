// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.argument;

import io.memshard.client.concurrent.ClientLog;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** Converter of times to live to memcached's exptime. Protocol: protocol.txt, section "Expiration times". */
public final class Exptime {

    /** Longest relative exptime. The server reads a larger number as a unix time. */
    private static final long MAX_RELATIVE_SECONDS = Duration.ofDays(30).toSeconds();

    /** Exptime of an item that expires immediately: a unix time in 1970. */
    private static final int OVER_SINCE_1970 = (int) MAX_RELATIVE_SECONDS + 1;

    public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    public static final Duration OVER = NEVER.negated();

    private static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);
    private static final long NANOS_TO_ROUND_UP = 999_999_999;
    private static final ClientLog LOG = ClientLog.of(Exptime.class);
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    private Exptime() {}

    public static int of(Duration ttl, Clock clock) {
        Objects.requireNonNull(ttl, "ttl is null");
        if (ttl.equals(NEVER)) {
            return 0;
        }
        if (ttl.equals(OVER)) {
            return OVER_SINCE_1970;
        }
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("ttl is " + ttl + ", but must be more than zero: use TimeToLive.NEVER"
                    + " for an item that never expires, or TimeToLive.until(instant) for an instant that may have"
                    + " passed");
        }
        return seconds("ttl", ttl, clock);
    }

    public static int of(String option, Duration time, Clock clock) {
        Objects.requireNonNull(time, () -> option + " is null");
        if (time.isNegative()) {
            throw new IllegalArgumentException(option + " is " + time + ", but must be zero or positive");
        }
        return seconds(option, time, clock);
    }

    private static int seconds(String option, Duration ttl, Clock clock) {
        long seconds = ttl.compareTo(LONGEST) > 0
                ? Integer.MAX_VALUE
                : ttl.plusNanos(NANOS_TO_ROUND_UP).toSeconds();
        if (seconds <= MAX_RELATIVE_SECONDS) {
            return (int) seconds;
        }
        long exptime = clock.instant().getEpochSecond() + seconds;
        if (exptime <= MAX_RELATIVE_SECONDS) {
            // The server would read the number as a time of a few days, as no expiry, or as an immediate expiry.
            throw new IllegalStateException("the clock of this machine shows " + clock.instant() + ", but " + option
                    + "=" + ttl + " must be sent as an absolute time: correct the clock");
        }
        if (exptime > Integer.MAX_VALUE && !WARNED.getAndSet(true)) {
            LOG.warn(
                    "{}={} ends after 2038-01-19, the last day of memcached's clock, and is sent as 2038-01-19. Use"
                            + " TimeToLive.NEVER for an item that never expires. Further cases are not logged",
                    option,
                    ttl);
        }
        return (int) Math.min(exptime, Integer.MAX_VALUE);
    }
}
