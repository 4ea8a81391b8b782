// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.sharding.ring.Server;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of a {@link Discovery}.
 *
 * <p>Threading: immutable.
 *
 * @param version the number of adopted lists; 0 before the first one
 * @param servers the last adopted list; empty before the first one
 * @param looks number of looks at the source
 * @param failures number of looks that failed, found no servers or found an invalid list
 * @param heldBack the number of lists that disappeared before they were adopted
 * @param lastSuccess time of the last successful look; null for never
 * @param lastFailure time of the last failed look; null for never
 * @param lastReason reason of the last failure; null for never
 */
public record DiscoveryStatus(
        long version,
        List<Server> servers,
        long looks,
        long failures,
        long heldBack,
        @Nullable Instant lastSuccess,
        @Nullable Instant lastFailure,
        @Nullable String lastReason) {}
