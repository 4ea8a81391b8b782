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
 * @param version the number of adopted lists; 0 before the first list
 * @param servers the last adopted list; empty before the first list
 * @param looks the number of queries of the source, including failed ones
 * @param failures the number of queries that failed, or returned no servers or an invalid list
 * @param heldBack the number of lists that disappeared before they were adopted
 * @param lastSuccess the time of the last successful query; null if no query has succeeded
 * @param lastFailure the time of the last failed query; null if no query has failed
 * @param lastReason the reason of the last failure; null if no query has failed
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
