// SPDX-License-Identifier: Apache-2.0
/**
 * Transport without an I/O thread: waiting callers write and read for all.
 *
 * <p>Layer: above {@code link}, below {@code connection}. Start reading at {@link
 * io.memshard.client.link.callers.CallerDrivenLink}, which describes the algorithm.
 */
@NullMarked
package io.memshard.client.link.callers;

import org.jspecify.annotations.NullMarked;
