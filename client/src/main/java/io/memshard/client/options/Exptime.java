package io.memshard.client.options;

import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * Times to live in memcached's terms.
 *
 * <p>Protocol: protocol.txt, section "Expiration times".
 */
public final class Exptime {

    /** The server reads a larger exptime as a unix time. */
    private static final long MAX_RELATIVE_SECONDS = Duration.ofDays(30).toSeconds();

    private static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);
    private static final long NANOS_TO_ROUND_UP = 999_999_999;

    private Exptime() {}

    /**
     * The exptime of an item that lives for {@code ttl}: 0 for ever, seconds up to 30 days, above that a unix time. A
     * part of a second counts as a whole one.
     *
     * @param ttl zero for ever, or positive
     * @param clock tells the time, for items that live longer than 30 days
     * @throws IllegalArgumentException if the time is negative, or ends after 2038-01-19, as memcached's clock does
     */
    public static int of(Duration ttl, Clock clock) {
        return of("ttl", ttl, clock);
    }

    /** As {@link #of(Duration, Clock)}, for an option with a name of its own. */
    public static int of(String option, Duration ttl, Clock clock) {
        Objects.requireNonNull(ttl, () -> option + " is null");
        if (ttl.isNegative()) {
            throw new IllegalArgumentException(option + " is " + ttl + ": it is zero (never expires) or positive");
        }
        if (ttl.compareTo(LONGEST) > 0) {
            throw beyondTheServersClock(option, ttl);
        }
        long seconds = ttl.plusNanos(NANOS_TO_ROUND_UP).toSeconds();
        long exptime =
                seconds <= MAX_RELATIVE_SECONDS ? seconds : clock.instant().getEpochSecond() + seconds;
        if (exptime > Integer.MAX_VALUE) {
            throw beyondTheServersClock(option, ttl);
        }
        return (int) exptime;
    }

    private static IllegalArgumentException beyondTheServersClock(String option, Duration ttl) {
        return new IllegalArgumentException(option + " is " + ttl + ": memcached keeps time up to 2038-01-19");
    }
}
