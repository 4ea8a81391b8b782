// SPDX-License-Identifier: Apache-2.0
/**
 * Costs of a client with many servers: threads, sockets, memory, and a get beside that of one server.
 *
 * <p>Layer: above the result records and the machine. Start reading at {@link io.memshard.bench.scale.ScaleRun}.
 */
@NullMarked
package io.memshard.bench.scale;

import org.jspecify.annotations.NullMarked;
