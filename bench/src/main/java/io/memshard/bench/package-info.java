// SPDX-License-Identifier: Apache-2.0
/**
 * Part of {@code bench/run} with lock profiles, JMH and the tables of pages. The top layer of this module.
 *
 * <p>Start reading at {@link io.memshard.bench.ComparisonPart}.
 */
@NullMarked
package io.memshard.bench;

import org.jspecify.annotations.NullMarked;
