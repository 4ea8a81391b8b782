// SPDX-License-Identifier: Apache-2.0
/**
 * The memcached that all contenders talk to, and the keys it is filled with.
 *
 * <p>Layer: below the load, beside the contenders; speaks to the server over a plain socket only. Start
 * reading at {@link io.memshard.bench.server.BenchServer}.
 */
@NullMarked
package io.memshard.bench.server;

import org.jspecify.annotations.NullMarked;
