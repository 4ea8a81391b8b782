// SPDX-License-Identifier: Apache-2.0
/**
 * Results of the lab's forks and lock profiles, as records and as files. Layer: above the experiments, below the
 * packages that run experiments, judge claims and draw charts. Start reading at {@link
 * io.memshard.bench.lab.data.ForkResult}.
 */
@NullMarked
package io.memshard.bench.lab.data;

import org.jspecify.annotations.NullMarked;
