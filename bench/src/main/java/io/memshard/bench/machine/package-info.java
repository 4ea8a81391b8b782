// SPDX-License-Identifier: Apache-2.0
/**
 * Facts of the machine of a measurement and programs beside it: clocks, processors, versions.
 *
 * <p>Layer: beside the contenders, above the result records. Start reading at {@link
 * io.memshard.bench.machine.EnvironmentProbe}.
 */
@NullMarked
package io.memshard.bench.machine;

import org.jspecify.annotations.NullMarked;
