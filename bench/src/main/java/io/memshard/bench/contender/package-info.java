// SPDX-License-Identifier: Apache-2.0
/**
 * Clients under comparison, behind one small interface, and two experiments: {@code clients} compares all clients, and
 * {@code venus} compares a pool, one client and an array. Layer: above the client libraries and the base types of the
 * lab. Start reading at {@link io.memshard.bench.contender.Contender}; the settings of each client are in {@link
 * io.memshard.bench.contender.ContenderKind}.
 */
@NullMarked
package io.memshard.bench.contender;

import org.jspecify.annotations.NullMarked;
