// SPDX-License-Identifier: Apache-2.0
/**
 * Runs of experiments in forks: the schedule, the JVM of each fork, its load, and the meters around the load.
 *
 * <p>Layer: above the experiments and the data, below judge and pages. Start reading at {@link
 * io.memshard.bench.lab.run.LabRun}; what happens in a fork is in {@link io.memshard.bench.lab.run.Fork}.
 */
@NullMarked
package io.memshard.bench.lab.run;

import org.jspecify.annotations.NullMarked;
