// SPDX-License-Identifier: Apache-2.0
/** Commands of {@code bench/run}: their common base, the parts that provide them, and generated pages. */
@NullMarked
package io.memshard.bench.command;

import org.jspecify.annotations.NullMarked;
