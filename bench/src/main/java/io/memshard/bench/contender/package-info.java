// SPDX-License-Identifier: Apache-2.0
/**
 * The clients under comparison behind one small interface, each set up as its own manual would.
 *
 * <p>Layer: above the client libraries, below whatever puts load on them. Start reading at {@link
 * io.memshard.bench.contender.Contender}; how each is set up is in {@link
 * io.memshard.bench.contender.ContenderKind}.
 */
@NullMarked
package io.memshard.bench.contender;

import org.jspecify.annotations.NullMarked;
