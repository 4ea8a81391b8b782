// SPDX-License-Identifier: Apache-2.0
/**
 * Runs of experiments in blocks of JMH's forks: the schedule, the load of a fork, and the meters of the load.
 *
 * <p>Layer: above the experiments and the data, below judge and pages. Start reading at {@link
 * io.memshard.bench.lab.run.Blocks}; {@link io.memshard.bench.lab.run.ForkProfiler} measures in a fork.
 */
@NullMarked
package io.memshard.bench.lab.run;

import org.jspecify.annotations.NullMarked;
