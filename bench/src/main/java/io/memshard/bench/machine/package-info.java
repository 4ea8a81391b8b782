// SPDX-License-Identifier: Apache-2.0
/**
 * What a measurement must know about the machine that it ran on: clocks, processors, versions.
 *
 * <p>Layer: beside the contenders, above the result records. Start reading at {@link
 * io.memshard.bench.machine.EnvironmentProbe}.
 */
@NullMarked
package io.memshard.bench.machine;

import org.jspecify.annotations.NullMarked;
