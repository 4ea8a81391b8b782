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
 * @param claimTtl how long a caller's claim to load lasts after the server has heard of it last; more than zero. The
 *     claim is renewed while the loader runs. So others wait this long only if a process has crashed, or if the reply
 *     that grants the claim was lost with its connection
 * @param maxLoad how long a claim is renewed; zero for never, at most 24 days. A load that takes longer than this and
 *     {@code claimTtl} does not keep another caller from loading
 * @param recacheBelow a value with less than this to live is loaded again by one caller, while the others still get it.
 *     Zero for never. Null for a tenth of the time to live, if that is at least a second
 * @param servesStale whether callers that do not load get an invalidated value; if not, they wait for the new one
 * @param maxWait how long a caller waits for another process to load; zero for no wait, at most 24 days. A caller waits
 *     for a load of its own process until that load ends, unless {@code afterWait} is {@code FAIL} or this is zero. A
 *     loader that asks for its own key does not wait
 * @param afterWait what a caller does after that
 */
public record LoadOptions(
        Duration claimTtl,
        Duration maxLoad,
        @Nullable Duration recacheBelow,
        boolean servesStale,
        Duration maxWait,
        AfterWait afterWait) {

    /** Action of a caller if no other caller has loaded within the wait. */
    public enum AfterWait {
        /** It loads too, and stores the value if no other caller has stored one yet. */
        LOAD,
        /** It fails with a {@link io.memshard.client.exception.MemcachedTimeoutException}. */
        FAIL
    }

    /**
     * A claim of 5 s that is renewed for a minute, early recache in the last tenth, stale values served, a wait of a
     * minute, then loading.
     */
    public static final LoadOptions DEFAULTS = new LoadOptions(
            Duration.ofSeconds(5), Duration.ofMinutes(1), null, true, Duration.ofMinutes(1), AfterWait.LOAD);

    private static final int RECACHED_PART = 10;

    /** Checks the times. */
    public LoadOptions {
        Objects.requireNonNull(claimTtl, "claimTtl is null");
        checkLimit("maxLoad", maxLoad, "never renewed");
        checkLimit("maxWait", maxWait, "no wait");
        Objects.requireNonNull(afterWait, "afterWait is null");
        if (claimTtl.isNegative() || claimTtl.isZero()) {
            throw new IllegalArgumentException("claimTtl is " + claimTtl + ": it is more than zero");
        }
        if (recacheBelow != null && recacheBelow.isNegative()) {
            throw new IllegalArgumentException("recacheBelow is " + recacheBelow + ": it is zero (never) or positive");
        }
        Exptime.of("claimTtl", claimTtl, Clock.systemUTC());
        if (recacheBelow != null) {
            Exptime.of("recacheBelow", recacheBelow, Clock.systemUTC());
        }
    }

    private static void checkLimit(String name, Duration limit, String zero) {
        Objects.requireNonNull(limit, name + " is null");
        if (limit.isNegative() || limit.compareTo(ConnectionOptions.LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(name + " is " + limit + ": it is zero (" + zero
                    + ") or positive, and at most " + ConnectionOptions.LONGEST_TIMEOUT);
        }
    }

    /** With another {@link #claimTtl()}. */
    public LoadOptions withClaimTtl(Duration ttl) {
        return new LoadOptions(ttl, maxLoad, recacheBelow, servesStale, maxWait, afterWait);
    }

    /** With another {@link #maxLoad()}. */
    public LoadOptions withMaxLoad(Duration limit) {
        return new LoadOptions(claimTtl, limit, recacheBelow, servesStale, maxWait, afterWait);
    }

    /** With another {@link #recacheBelow()}. */
    public LoadOptions withRecacheBelow(@Nullable Duration remaining) {
        return new LoadOptions(claimTtl, maxLoad, remaining, servesStale, maxWait, afterWait);
    }

    /** With or without {@link #servesStale()}. */
    public LoadOptions withServesStale(boolean serves) {
        return new LoadOptions(claimTtl, maxLoad, recacheBelow, serves, maxWait, afterWait);
    }

    /** With another {@link #maxWait()} and what comes after it. */
    public LoadOptions withMaxWait(Duration wait, AfterWait then) {
        return new LoadOptions(claimTtl, maxLoad, recacheBelow, servesStale, wait, then);
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
