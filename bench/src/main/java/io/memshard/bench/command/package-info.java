// SPDX-License-Identifier: Apache-2.0
/** Commands of {@code bench/run}: what all have in common, the parts that bring them, and generated pages. */
@NullMarked
package io.memshard.bench.command;

import org.jspecify.annotations.NullMarked;
