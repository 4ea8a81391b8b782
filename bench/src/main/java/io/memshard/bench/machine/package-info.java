// SPDX-License-Identifier: Apache-2.0
/**
 * Facts about the machine of a measurement and the programs on it: clocks, processors, versions.
 *
 * <p>Layer: on the level of the contenders, above the result records. Start reading at {@link
 * io.memshard.bench.machine.BusyCheck}.
 */
@NullMarked
package io.memshard.bench.machine;

import org.jspecify.annotations.NullMarked;
