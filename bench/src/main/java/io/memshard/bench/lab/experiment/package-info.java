// SPDX-License-Identifier: Apache-2.0
/**
 * Base types of experiments: arms, conditions and plans. The experiments themselves are in sibling packages.
 *
 * <p>Layer: the lowest of the lab; knows neither forks nor files. Start reading at {@link
 * io.memshard.bench.lab.experiment.Experiment}.
 */
@NullMarked
package io.memshard.bench.lab.experiment;

import org.jspecify.annotations.NullMarked;
