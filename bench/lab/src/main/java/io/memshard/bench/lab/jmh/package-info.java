// SPDX-License-Identifier: Apache-2.0
/**
 * Arms of the lab under JMH: a check of its figures by another harness.
 *
 * <p>Layer: above the runs, below the command line. Start reading at {@link io.memshard.bench.lab.jmh.LabCrossCheck}.
 */
@NullMarked
package io.memshard.bench.lab.jmh;

import org.jspecify.annotations.NullMarked;
