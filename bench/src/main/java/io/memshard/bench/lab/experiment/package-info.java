// SPDX-License-Identifier: Apache-2.0
/** Base types of experiments, such as systems under test and conditions. Start reading at {@code Experiment}. */
@NullMarked
package io.memshard.bench.lab.experiment;

import org.jspecify.annotations.NullMarked;
