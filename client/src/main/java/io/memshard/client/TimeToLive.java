// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.argument.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Times to live for items that never expire, and for items that expire at a given instant. */
public final class TimeToLive {

    /** Time to live of an item that never expires. The server may still evict the item for lack of memory. */
    public static final Duration NEVER = Exptime.NEVER;

    private TimeToLive() {}

    /**
     * Returns the time to live of an item that must expire no later than {@code expiry}.
     *
     * <p>The result is rounded down to whole seconds. If less than a second remains, an item stored with the result
     * expires immediately: neither its old value nor its new value can be read. Uses the clock of this machine.
     *
     * @param expiry any instant, which may be in the past
     * @return a time to live that clients accept; negative if the item expires immediately
     */
    public static Duration until(Instant expiry) {
        return until(expiry, Clock.systemUTC());
    }

    static Duration until(Instant expiry, Clock clock) {
        long seconds = Duration.between(clock.instant(), expiry).toSeconds();
        return seconds < 1 ? Exptime.OVER : Duration.ofSeconds(seconds);
    }
}
