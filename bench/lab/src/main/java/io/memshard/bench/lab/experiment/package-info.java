// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments with their arms, conditions and plans, apart from the harness.
 *
 * <p>Layer: the lowest of the lab; knows neither forks nor files. Start reading at {@link
 * io.memshard.bench.lab.experiment.Experiment}.
 */
@NullMarked
package io.memshard.bench.lab.experiment;

import org.jspecify.annotations.NullMarked;
