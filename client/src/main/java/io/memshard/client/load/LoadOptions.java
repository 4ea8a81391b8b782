package io.memshard.client.load;

import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How {@code MemcachedClient.getOrLoad} shares out the loading.
 *
 * <p>Threading: immutable.
 *
 * @param claimTtl how long the one caller who loads has, until another may; more than zero. It should be well above
 *     what the loader takes: the server forgets the claim of a process that died only then
 * @param recacheBelow with how little left to live a value is loaded anew by one caller, while the others still
 *     get it; zero for never; null for a tenth of the time to live, if that is at least a second
 * @param servesStale whether the callers who do not load get an invalidated value, or wait for the new one
 * @param maxWait how long a caller waits for another's value; zero not to wait, at most 24 days
 * @param afterWait what a caller does then
 */
public record LoadOptions(
        Duration claimTtl,
        @Nullable Duration recacheBelow,
        boolean servesStale,
        Duration maxWait,
        AfterWait afterWait) {

    /** What a caller does who has waited in vain for another to load. */
    public enum AfterWait {
        /** It loads too, and stores the value if the other has not yet. */
        LOAD,
        /** It fails with a {@link io.memshard.client.exception.MemcachedTimeoutException}. */
        FAIL
    }

    /** A claim of 30 s, early recache in the last tenth, stale values served, a wait of 5 s, then loading. */
    public static final LoadOptions DEFAULTS =
            new LoadOptions(Duration.ofSeconds(30), null, true, Duration.ofSeconds(5), AfterWait.LOAD);

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

    /** With how little left to live an item that was stored for {@code ttl} is loaded anew; zero for never. */
    Duration recacheBelow(Duration ttl) {
        if (recacheBelow != null) {
            return recacheBelow;
        }
        Duration part = ttl.dividedBy(RECACHED_PART);
        return part.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ZERO : part;
    }
}
