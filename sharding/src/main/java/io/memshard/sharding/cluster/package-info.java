// SPDX-License-Identifier: Apache-2.0
/**
 * Connections to a single server, or to several servers among which a ring distributes the keys.
 *
 * <p>Layer: above {@code client.connection}, {@code sharding}, {@code ring} and {@code discovery}; below the entry
 * point. Start reading at {@link io.memshard.sharding.cluster.Cluster}, then {@code ServerConnections}.
 */
@NullMarked
package io.memshard.sharding.cluster;

import org.jspecify.annotations.NullMarked;
