package io.memshard.template.spymemcached;

import java.time.Duration;
import java.time.Instant;

/** Times to live as memcached's protocol.txt, section "Expiration times", has them. */
final class Exptime {

    /** Above this an exptime is taken for a unix time. */
    private static final long MAX_RELATIVE_SECONDS = Duration.ofDays(30).toSeconds();

    private static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);
    private static final long NANOS_TO_ROUND_UP = 999_999_999;

    private Exptime() {}

    /** 0 for never, seconds up to 30 days, above that a unix time; a part of a second counts as one. */
    static int of(Duration ttl) {
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("ttl is " + ttl + ": it is zero (never expires) or positive");
        }
        if (ttl.compareTo(LONGEST) > 0) {
            throw beyondTheServersClock(ttl);
        }
        long seconds = ttl.plusNanos(NANOS_TO_ROUND_UP).toSeconds();
        long exptime = seconds <= MAX_RELATIVE_SECONDS ? seconds : Instant.now().getEpochSecond() + seconds;
        if (exptime > Integer.MAX_VALUE) {
            throw beyondTheServersClock(ttl);
        }
        return (int) exptime;
    }

    private static IllegalArgumentException beyondTheServersClock(Duration ttl) {
        return new IllegalArgumentException("ttl is " + ttl + ": memcached keeps time up to 2038-01-19");
    }
}
