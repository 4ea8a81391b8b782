// SPDX-License-Identifier: Apache-2.0
/**
 * What the lab measures, told apart from how: an experiment with its arms, its conditions and its plans.
 *
 * <p>Layer: the lowest of the lab; knows neither forks nor files. Start reading at {@link
 * io.memshard.bench.lab.experiment.Experiment}.
 */
@NullMarked
package io.memshard.bench.lab.experiment;

import org.jspecify.annotations.NullMarked;
