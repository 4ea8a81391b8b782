/**
 * The same contenders under JMH, for whoever trusts its figures more, or wants its profilers and
 * formats. JMH runs contenders one after the other, so on a machine with noisy neighbours the
 * interleaved comparison says more about ratios.
 *
 * <p>Layer: beside {@code compare}. Start reading at {@link io.memshard.bench.jmh.GetBenchmark}.
 */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
