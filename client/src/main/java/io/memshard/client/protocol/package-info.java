// SPDX-License-Identifier: Apache-2.0
/**
 * Commands of memcached's meta protocol (doc/protocol.txt). The {@code Classic} classes are for servers that support
 * only the classic text protocol.
 *
 * <p>This package uses no sockets, threads or clocks. Layer: above {@code exception}, below {@code connection}. Start
 * reading at {@code Command}, then {@code MetaGet}.
 */
@NullMarked
package io.memshard.client.protocol;

import org.jspecify.annotations.NullMarked;
