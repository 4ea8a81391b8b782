// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.options.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Times to live that are no positive duration: none at all, and one that ends at an instant.
 *
 * <p>They go wherever a time to live goes: into a client, a template, a {@code ChunkedClient}, a request of
 * {@code meta()}.
 */
public final class TimeToLive {

    /** The item never expires. The server may still evict it for lack of memory. */
    public static final Duration NEVER = Exptime.NEVER;

    private TimeToLive() {}

    /**
     * The time to live of an item that nobody may read at {@code expiry} or later.
     *
     * <p>It is rounded down to whole seconds. If less than a second is left, the item is over at once: what is stored
     * under it replaces the old value, and neither can be read. The clock is that of this machine.
     *
     * @param expiry any instant, also one that is over
     * @return a time to live for every method that takes one; it may be negative
     */
    public static Duration until(Instant expiry) {
        return until(expiry, Clock.systemUTC());
    }

    static Duration until(Instant expiry, Clock clock) {
        long seconds = Duration.between(clock.instant(), expiry).toSeconds();
        return seconds < 1 ? Exptime.OVER : Duration.ofSeconds(seconds);
    }
}
