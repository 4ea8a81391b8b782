// SPDX-License-Identifier: Apache-2.0
/**
 * Cost of a value in bytes and in time with each serializer: those of Memshard, and two of other projects.
 *
 * <p>Layer: on the level of {@code jmh}; depends on no other package of this module. Start reading at {@link
 * io.memshard.bench.serializer.SerializerBenchmark}.
 */
@NullMarked
package io.memshard.bench.serializer;

import org.jspecify.annotations.NullMarked;
