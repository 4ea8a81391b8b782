// SPDX-License-Identifier: Apache-2.0
/**
 * Arms whose differences are known, run in forks like any others: what the judge says of them calibrates it.
 *
 * <p>Layer: above run and judge, below the command line. Start reading at
 * {@link io.memshard.bench.lab.planted.Planted}.
 */
@NullMarked
package io.memshard.bench.lab.planted;

import org.jspecify.annotations.NullMarked;
