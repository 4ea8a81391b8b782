// SPDX-License-Identifier: Apache-2.0
/**
 * The clients under comparison behind one small interface, each set up as its manual recommends, and the experiments on
 * them. {@code clients} compares all, and {@code venus} a pool, one client and an array.
 *
 * <p>Layer: above the client libraries and the base types of the lab. Start reading at {@link
 * io.memshard.bench.contender.Contender}; the setup of each is in {@link io.memshard.bench.contender.ContenderKind}.
 */
@NullMarked
package io.memshard.bench.contender;

import org.jspecify.annotations.NullMarked;
