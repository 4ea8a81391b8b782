// SPDX-License-Identifier: Apache-2.0
/**
 * JVMs beside this one in which is measured, of the comparison and of the lab: how they are started and what they are
 * told.
 *
 * <p>Layer: the lowest. Start reading at {@link io.memshard.bench.fork.TaskFile}.
 */
@NullMarked
package io.memshard.bench.fork;

import org.jspecify.annotations.NullMarked;
