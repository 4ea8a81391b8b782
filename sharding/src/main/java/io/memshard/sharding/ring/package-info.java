// SPDX-License-Identifier: Apache-2.0
/**
 * Rings: which server of many a key belongs to, as other clients choose it.
 *
 * <p>Everything here is an immutable value and does no I/O. A {@link io.memshard.sharding.ring.Ring} makes a
 * {@link io.memshard.sharding.ring.ServerLocator} of a list of servers. {@link io.memshard.sharding.ring.Rings} has one
 * for each client that keys may come from.
 *
 * <p>Layer: above {@code io.memshard.client.options}, from which it takes the address of a server; below all else in
 * this module. Start reading at {@code Rings}, then {@code PointRing}.
 */
@NullMarked
package io.memshard.sharding.ring;

import org.jspecify.annotations.NullMarked;
