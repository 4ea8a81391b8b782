// SPDX-License-Identifier: Apache-2.0
/**
 * Command line of the benchmarks, and the lab, which measures clients and the claims of articles in blocks of forks.
 * Layer: above everything else. Start reading at {@link io.memshard.bench.lab.Main}.
 */
@NullMarked
package io.memshard.bench.lab;

import org.jspecify.annotations.NullMarked;
