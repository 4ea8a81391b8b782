// SPDX-License-Identifier: Apache-2.0
/**
 * Rings: the assignment of keys to servers, compatible with other clients.
 *
 * <p>All types are immutable values and do no I/O. A {@link io.memshard.sharding.ring.Ring} creates a {@link
 * io.memshard.sharding.ring.ServerLocator} for a list of servers. The static methods of {@code Ring} return the rings
 * of other clients, so that keys stored by those clients are found.
 *
 * <p>Layer: above {@code io.memshard.client.options}, for the address of a server; below all other packages of this
 * module. Start reading at {@code Ring}, then {@code PointRing}.
 */
@NullMarked
package io.memshard.sharding.ring;

import org.jspecify.annotations.NullMarked;
