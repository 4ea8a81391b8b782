// SPDX-License-Identifier: Apache-2.0
/** Runs of experiments in JVMs that JMH starts (forks). Start reading at {@code Blocks}. */
@NullMarked
package io.memshard.bench.lab.run;

import org.jspecify.annotations.NullMarked;
