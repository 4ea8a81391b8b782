// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

import io.memshard.client.options.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * How a move goes. Each method returns changed options.
 *
 * <p>Threading: immutable.
 *
 * @param stage the first stage; by default {@link MigrationStage#MOVING}
 * @param ttlIfUnknown how long a copy lives whose item comes from a server that speaks only classic text, and so does
 *     not tell the remaining time; by default one hour
 * @param maxCopies how many items are copied at a time at most, 0 to 100,000; by default 256. Beyond that, items stay
 *     where they are until they are read again
 */
public record MigrationOptions(MigrationStage stage, Duration ttlIfUnknown, int maxCopies) {

    private static final int MOST_COPIES = 100_000;

    /** The defaults. */
    public static final MigrationOptions DEFAULT =
            new MigrationOptions(MigrationStage.MOVING, Duration.ofHours(1), 256);

    /** Checks the numbers. */
    public MigrationOptions {
        Objects.requireNonNull(stage, "stage is null");
        try {
            Exptime.of(ttlIfUnknown, Clock.systemUTC());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("ttlIfUnknown: " + e.getMessage(), e);
        }
        if (maxCopies < 0 || maxCopies > MOST_COPIES) {
            throw new IllegalArgumentException("maxCopies is " + maxCopies + ": it is 0 to " + MOST_COPIES);
        }
    }

    /** The same with another first stage. */
    public MigrationOptions withStage(MigrationStage first) {
        return new MigrationOptions(first, ttlIfUnknown, maxCopies);
    }

    /** The same with another life of copies from servers that speak only classic text. */
    public MigrationOptions withTtlIfUnknown(Duration ttl) {
        return new MigrationOptions(stage, ttl, maxCopies);
    }

    /** The same with another number of copies at a time. */
    public MigrationOptions withMaxCopies(int copies) {
        return new MigrationOptions(stage, ttlIfUnknown, copies);
    }
}
