// SPDX-License-Identifier: Apache-2.0
/**
 * Class paths of historic and present versions of the systems that the lab measures: their jars, the origin of these,
 * and whether they are on this machine.
 *
 * <p>Layer: above {@code lab.experiment}, below the experiments. Start reading at {@link
 * io.memshard.bench.lab.variant.VariantFolder}.
 */
@NullMarked
package io.memshard.bench.lab.variant;

import org.jspecify.annotations.NullMarked;
