// SPDX-License-Identifier: Apache-2.0
/**
 * Pages of the lab: an index with all verdicts and their tests, and a page with every figure for each experiment.
 * Layer: above the judge, below the command line. Start reading at {@link io.memshard.bench.lab.page.LabReport}.
 */
@NullMarked
package io.memshard.bench.lab.page;

import org.jspecify.annotations.NullMarked;
