// SPDX-License-Identifier: Apache-2.0
/**
 * The lab: what articles say of pools and clients, measured in forks and judged by rule.
 *
 * <p>Layer: below the command line, above everything else of the lab. Start reading at {@link
 * io.memshard.bench.lab.Experiments}.
 */
@NullMarked
package io.memshard.bench.lab;

import org.jspecify.annotations.NullMarked;
