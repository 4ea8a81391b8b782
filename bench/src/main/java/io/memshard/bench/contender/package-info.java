// SPDX-License-Identifier: Apache-2.0
/**
 * The clients under comparison behind one small interface, each set up as its manual recommends.
 *
 * <p>Layer: above the client libraries, below the packages that put load on them. Start reading at {@link
 * io.memshard.bench.contender.Contender}; the setup of each is in {@link io.memshard.bench.contender.ContenderKind}.
 */
@NullMarked
package io.memshard.bench.contender;

import org.jspecify.annotations.NullMarked;
