// SPDX-License-Identifier: Apache-2.0
/**
 * The pages of the lab: one for each claim, and an index with all verdicts.
 *
 * <p>Layer: above the judge, below the command line. Start reading at {@link io.memshard.bench.lab.page.LabReport}.
 */
@NullMarked
package io.memshard.bench.lab.page;

import org.jspecify.annotations.NullMarked;
