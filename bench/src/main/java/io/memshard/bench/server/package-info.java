// SPDX-License-Identifier: Apache-2.0
/** Plain sockets to memcached, and the keys of a measurement. Start reading at {@code Keyspace}. */
@NullMarked
package io.memshard.bench.server;

import org.jspecify.annotations.NullMarked;
