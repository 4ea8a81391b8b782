// SPDX-License-Identifier: Apache-2.0
/**
 * Findings of forks of the lab, as records and as files, and what their threads waited for.
 *
 * <p>Layer: above the experiments and the statistics, below those that run, judge and draw. Start reading at {@link
 * io.memshard.bench.lab.data.ForkResult}, and for lock profiles at {@link io.memshard.bench.lab.data.LockProfile}.
 */
@NullMarked
package io.memshard.bench.lab.data;

import org.jspecify.annotations.NullMarked;
