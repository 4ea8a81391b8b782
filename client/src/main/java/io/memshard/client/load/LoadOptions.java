// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.options.FailurePolicy;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of {@code MemcachedClient.getOrLoad}, which gives one caller the right to load a value, called the claim.
 *
 * <p>Under {@link FailurePolicy#TREAT_AS_MISS}, failures of the server are not thrown. If the first get fails, the
 * caller loads but stores nothing, because it cannot detect concurrent changes. If the server granted the claim in a
 * lost reply, other callers wait until {@code maxWait} or {@code claimTtl} has passed. If the store fails, the caller
 * still gets the value, and releases the claim. If the server does not respond, the get, the store and the release each
 * take the whole request timeout.
 *
 * <p>Under {@link FailurePolicy#RETRY_ONCE_IF_SAFE}, the first get may be sent again. If the server granted the claim
 * in a lost reply, this caller waits too, because the second reply says that another caller is loading.
 *
 * <p>Threading: immutable.
 *
 * @param claimTtl time after which a claim expires, unless it is renewed; more than zero. The claim is renewed while
 *     the loader runs. So other callers wait for the whole {@code claimTtl} only after a crash or a lost reply
 * @param maxLoad the time for which a claim is renewed; zero for never, at most 24 days. If a load takes longer than
 *     {@code maxLoad} plus {@code claimTtl}, another caller may load
 * @param recacheBelow the remaining time to live below which one caller reloads a value, while other callers still get
 *     the old value. Zero means never. Null means a tenth of the time to live, or never if this tenth is below a
 *     second. Null also means never if the time to live depends on the value
 * @param servesStale whether callers that do not run the loader get an invalidated value; if false, these callers wait
 *     for the load
 * @param maxWait the longest wait for a load of another process; zero for no wait, at most 24 days. A caller waits for
 *     a load of its own process until that load ends, unless {@code failsAfterWait} is set or {@code maxWait} is zero
 * @param failsAfterWait whether a caller fails after {@code maxWait}, with a
 *     {@link io.memshard.client.exception.MemcachedTimeoutException}. If false, as by default, the caller then loads
 *     too, and stores the value if no other caller has stored a value
 */
public record LoadOptions(
        Duration claimTtl,
        Duration maxLoad,
        @Nullable Duration recacheBelow,
        boolean servesStale,
        Duration maxWait,
        boolean failsAfterWait) {

    /**
     * Default settings. A claim lasts 5 s, and is renewed for up to a minute. Values are reloaded in the last tenth of
     * their time to live, and stale values are served. A caller waits for up to a minute, and then loads.
     */
    public static final LoadOptions DEFAULTS =
            new LoadOptions(Duration.ofSeconds(5), Duration.ofMinutes(1), null, true, Duration.ofMinutes(1), false);

    /** Checks the times. */
    public LoadOptions {
        Objects.requireNonNull(claimTtl, "claimTtl is null");
        checkLimit("maxLoad", maxLoad, "no renewal");
        checkLimit("maxWait", maxWait, "no wait");
        if (claimTtl.isNegative() || claimTtl.isZero()) {
            throw new IllegalArgumentException("claimTtl is " + claimTtl + ", but must be more than zero");
        }
        Exptime.of("claimTtl", claimTtl, Clock.systemUTC());
        if (recacheBelow != null) {
            Exptime.of("recacheBelow", recacheBelow, Clock.systemUTC());
        }
    }

    private static void checkLimit(String name, Duration limit, String zero) {
        Objects.requireNonNull(limit, name + " is null");
        if (limit.isNegative() || limit.compareTo(Timeouts.LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + limit + ", but must be at least zero (" + zero
                    + ") and at most " + Timeouts.LONGEST);
        }
    }

    /** Returns a copy with another {@link #claimTtl()}. */
    public LoadOptions withClaimTtl(Duration ttl) {
        return new LoadOptions(ttl, maxLoad, recacheBelow, servesStale, maxWait, failsAfterWait);
    }

    /** Returns a copy with another {@link #maxLoad()}. */
    public LoadOptions withMaxLoad(Duration limit) {
        return new LoadOptions(claimTtl, limit, recacheBelow, servesStale, maxWait, failsAfterWait);
    }

    /** Returns a copy with another {@link #recacheBelow()}. */
    public LoadOptions withRecacheBelow(@Nullable Duration remaining) {
        return new LoadOptions(claimTtl, maxLoad, remaining, servesStale, maxWait, failsAfterWait);
    }

    /** Returns a copy with another {@link #servesStale()}. */
    public LoadOptions withServesStale(boolean serves) {
        return new LoadOptions(claimTtl, maxLoad, recacheBelow, serves, maxWait, failsAfterWait);
    }

    /** Returns a copy with another {@link #maxWait()}. */
    public LoadOptions withMaxWait(Duration wait) {
        return new LoadOptions(claimTtl, maxLoad, recacheBelow, servesStale, wait, failsAfterWait);
    }

    /** Returns a copy with another {@link #failsAfterWait()}. */
    public LoadOptions withFailsAfterWait(boolean fails) {
        return new LoadOptions(claimTtl, maxLoad, recacheBelow, servesStale, maxWait, fails);
    }
}
