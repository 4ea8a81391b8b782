// SPDX-License-Identifier: Apache-2.0
/**
 * Cost of a value in bytes and in time, by the serializer that writes it: those of ours, and two that are not.
 *
 * <p>Layer: beside {@code jmh}, on nothing else here. Start reading at {@link
 * io.memshard.bench.serializer.SerializerBenchmark}.
 */
@NullMarked
package io.memshard.bench.serializer;

import org.jspecify.annotations.NullMarked;
