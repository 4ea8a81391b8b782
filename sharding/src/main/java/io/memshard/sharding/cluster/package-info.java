// SPDX-License-Identifier: Apache-2.0
/**
 * Connections to a single server, and to a cluster of servers with a ring.
 *
 * <p>Layer: above the client's {@code connection}, {@code sharding}, {@code ring} and {@code discovery}, below the
 * entry point. Start reading at {@link io.memshard.sharding.cluster.Cluster}, then {@code ServerConnections}.
 */
@NullMarked
package io.memshard.sharding.cluster;

import org.jspecify.annotations.NullMarked;
