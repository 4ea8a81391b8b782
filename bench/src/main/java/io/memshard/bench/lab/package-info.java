// SPDX-License-Identifier: Apache-2.0
/** Command line of the benchmarks. Start reading at {@code Main}. */
@NullMarked
package io.memshard.bench.lab;

import org.jspecify.annotations.NullMarked;
