// SPDX-License-Identifier: Apache-2.0
/** Statistics of measurements. Equal seeds give equal results. Start reading at {@code PairedRatio}. */
@NullMarked
package io.memshard.bench.statistics;

import org.jspecify.annotations.NullMarked;
