// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

import io.memshard.client.argument.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of a move from a source fleet to a target fleet. Each {@code with...} method returns a changed copy.
 *
 * <p>Threading: immutable.
 *
 * @param stage the initial stage; {@link MigrationStage#MOVING} by default
 * @param ttlIfUnknown the time to live of items copied from servers without meta commands, which do not report the
 *     remaining time to live; one hour by default
 * @param maxCopies the maximum number of items to copy at the same time, 0 to 100,000; 256 by default. Further items
 *     are not copied until they are read again
 */
public record MigrationOptions(MigrationStage stage, Duration ttlIfUnknown, int maxCopies) {

    private static final int COPIES_LIMIT = 100_000;

    /** Default settings. */
    public static final MigrationOptions DEFAULT =
            new MigrationOptions(MigrationStage.MOVING, Duration.ofHours(1), 256);

    /** Checks the settings. */
    public MigrationOptions {
        Objects.requireNonNull(stage, "stage is null");
        try {
            Exptime.of(ttlIfUnknown, Clock.systemUTC());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("ttlIfUnknown: " + e.getMessage(), e);
        }
        if (maxCopies < 0 || maxCopies > COPIES_LIMIT) {
            throw new IllegalArgumentException("maxCopies is " + maxCopies + ", but must be 0 to " + COPIES_LIMIT);
        }
    }

    /** Returns a copy with another initial {@link #stage()}. */
    public MigrationOptions withStage(MigrationStage first) {
        return new MigrationOptions(first, ttlIfUnknown, maxCopies);
    }

    /** Returns a copy with another {@link #ttlIfUnknown()}. */
    public MigrationOptions withTtlIfUnknown(Duration ttl) {
        return new MigrationOptions(stage, ttl, maxCopies);
    }

    /** Returns a copy with another {@link #maxCopies()}. */
    public MigrationOptions withMaxCopies(int copies) {
        return new MigrationOptions(stage, ttlIfUnknown, copies);
    }
}
