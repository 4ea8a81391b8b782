// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.sharding.ring.Server;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Discovery} fares.
 *
 * <p>Threading: immutable.
 *
 * @param version how many lists were adopted; 0 before the first
 * @param servers the list in force; empty before the first
 * @param looks how often the source was asked
 * @param failures how often it failed, had no servers or made no sense
 * @param heldBack how many lists were seen and gone again before they were adopted
 * @param lastSuccess when it last told some servers; null for never
 * @param lastFailure when it last failed; null for never
 * @param lastReason why it failed then; null for never
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
