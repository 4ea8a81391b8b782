// SPDX-License-Identifier: Apache-2.0
/**
 * Runs of experiments in blocks of JMH's forks: the schedule, the load of a fork, and the meters of the load. Layer:
 * above the experiments and the data. Start reading at {@link io.memshard.bench.lab.run.Blocks}.
 */
@NullMarked
package io.memshard.bench.lab.run;

import org.jspecify.annotations.NullMarked;
