// SPDX-License-Identifier: Apache-2.0
/**
 * The memcached that all contenders call, and the keys that it contains. Layer: below the load, on the level of the
 * contenders; talks to the server only over a plain socket. Start reading at {@link io.memshard.bench.server.Keyspace}.
 */
@NullMarked
package io.memshard.bench.server;

import org.jspecify.annotations.NullMarked;
