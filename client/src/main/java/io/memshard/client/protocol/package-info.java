// SPDX-License-Identifier: Apache-2.0
/**
 * Memcached's meta protocol, with one file for each command family. A command encodes itself and decodes its own reply.
 * The {@code Classic} classes encode commands for servers that support only the classic text protocol.
 *
 * <p>This package uses no sockets, threads or clocks. Layer: above {@code exception}, below {@code connection}. Source:
 * memcached's doc/protocol.txt, section "Meta Commands". Start reading at {@code Command}, then {@code MetaGet}.
 */
@NullMarked
package io.memshard.client.protocol;

import org.jspecify.annotations.NullMarked;
