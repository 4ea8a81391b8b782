// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the callers of {@code MemcachedClient.getOrLoad} share the loading.
 *
 * <p>Threading: immutable.
 *
 * @param claimTtl how long one caller may load before another may; more than zero. It should be well above the time of
 *     the loader. After a process has crashed, its claim ends only then
 * @param recacheBelow a value with less than this to live is loaded again by one caller, while the others still get it.
 *     Zero for never. Null for a tenth of the time to live, if that is at least a second
 * @param servesStale whether callers that do not load get an invalidated value; if not, they wait for the new one
 * @param maxWait how long a caller waits for another caller's value; zero for no wait, at most 24 days
 * @param afterWait what a caller does after that
 */
public record LoadOptions(
        Duration claimTtl,
        @Nullable Duration recacheBelow,
        boolean servesStale,
        Duration maxWait,
        AfterWait afterWait) {

    /** What a caller does if another caller has not loaded within the wait. */
    public enum AfterWait {
        /** It loads too, and stores the value if the other caller has not stored one yet. */
        LOAD,
        /** It fails with a {@link io.memshard.client.exception.MemcachedTimeoutException}. */
        FAIL
    }

    /** A claim of 30 s, early recache in the last tenth, stale values served, a wait of 2 s, then loading. */
    public static final LoadOptions DEFAULTS =
            new LoadOptions(Duration.ofSeconds(30), null, true, Duration.ofSeconds(2), AfterWait.LOAD);

    private static final int RECACHED_PART = 10;

    /** Checks the times. */
    public LoadOptions {
        Objects.requireNonNull(claimTtl, "claimTtl is null");
        Objects.requireNonNull(maxWait, "maxWait is null");
        Objects.requireNonNull(afterWait, "afterWait is null");
        if (claimTtl.isNegative() || claimTtl.isZero()) {
            throw new IllegalArgumentException("claimTtl is " + claimTtl + ": it is more than zero");
        }
        if (recacheBelow != null && recacheBelow.isNegative()) {
            throw new IllegalArgumentException("recacheBelow is " + recacheBelow + ": it is zero (never) or positive");
        }
        if (maxWait.isNegative() || maxWait.compareTo(ConnectionOptions.LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("maxWait is " + maxWait
                    + ": it is zero (no wait) or positive, and at most " + ConnectionOptions.LONGEST_TIMEOUT);
        }
        Exptime.of("claimTtl", claimTtl, Clock.systemUTC());
        if (recacheBelow != null) {
            Exptime.of("recacheBelow", recacheBelow, Clock.systemUTC());
        }
    }

    /** With another {@link #claimTtl()}. */
    public LoadOptions withClaimTtl(Duration ttl) {
        return new LoadOptions(ttl, recacheBelow, servesStale, maxWait, afterWait);
    }

    /** With another {@link #recacheBelow()}. */
    public LoadOptions withRecacheBelow(@Nullable Duration remaining) {
        return new LoadOptions(claimTtl, remaining, servesStale, maxWait, afterWait);
    }

    /** With or without {@link #servesStale()}. */
    public LoadOptions withServesStale(boolean serves) {
        return new LoadOptions(claimTtl, recacheBelow, serves, maxWait, afterWait);
    }

    /** With another {@link #maxWait()} and what comes after it. */
    public LoadOptions withMaxWait(Duration wait, AfterWait then) {
        return new LoadOptions(claimTtl, recacheBelow, servesStale, wait, then);
    }

    /**
     * The remaining time to live below which an item that was stored for {@code ttl} is loaded again; zero for never.
     */
    Duration recacheBelow(Duration ttl) {
        if (recacheBelow != null) {
            return recacheBelow;
        }
        if (ttl.equals(Exptime.NEVER)) {
            return Duration.ZERO;
        }
        Duration part = ttl.dividedBy(RECACHED_PART);
        return part.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ZERO : part;
    }
}
