/**
 * Memcached's meta protocol: one command family a file, encoding itself and decoding its own reply. Commands that
 * exist in the classic text protocol too have a form of it, the {@code Classic} classes.
 *
 * <p>No sockets, threads or clocks; above {@code exception}, below {@code connection}. Source:
 * memcached's doc/protocol.txt, section "Meta Commands". Start reading at {@code Command}, then
 * {@code MetaGet}.
 */
@NullMarked
package io.memshard.client.protocol;

import org.jspecify.annotations.NullMarked;
