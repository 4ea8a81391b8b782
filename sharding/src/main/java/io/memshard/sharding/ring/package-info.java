// SPDX-License-Identifier: Apache-2.0
/**
 * Rings, which assign keys to servers as other clients do.
 *
 * <p>All types are immutable values and do no I/O. A {@link io.memshard.sharding.ring.Ring} creates a
 * {@link io.memshard.sharding.ring.ServerLocator} for a list of servers.
 *
 * <p>Layer: above {@code io.memshard.client.options}, for the address of a server; below all other packages of this
 * module. Start reading at {@code Ring}, then {@code PointRing}.
 */
@NullMarked
package io.memshard.sharding.ring;

import org.jspecify.annotations.NullMarked;
