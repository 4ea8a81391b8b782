package io.memshard.template.spymemcached;

import java.time.Duration;
import java.time.Instant;

/** Times to live as memcached's protocol.txt, section "Expiration times", has them. */
final class Exptime {

    /** Above this an exptime is taken for a unix time. */
    private static final long MAX_RELATIVE_SECONDS = Duration.ofDays(30).toSeconds();

    private Exptime() {}

    /** 0 for never, seconds up to 30 days, above that a unix time; a part of a second counts as one. */
    static int of(Duration ttl) {
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("ttl is " + ttl + ": it is zero (never expires) or positive");
        }
        long seconds = ttl.getNano() == 0 ? ttl.toSeconds() : Math.addExact(ttl.toSeconds(), 1);
        long exptime = seconds <= MAX_RELATIVE_SECONDS
                ? seconds
                : Math.addExact(Instant.now().getEpochSecond(), seconds);
        if (exptime > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("ttl is " + ttl + ": memcached keeps time up to 2038-01-19");
        }
        return (int) exptime;
    }
}
