// SPDX-License-Identifier: Apache-2.0
/**
 * Base types of experiments: arms, conditions, plans, and versions of libraries. Layer: the lowest of the lab. Start
 * reading at {@link io.memshard.bench.lab.experiment.Experiment}.
 */
@NullMarked
package io.memshard.bench.lab.experiment;

import org.jspecify.annotations.NullMarked;
