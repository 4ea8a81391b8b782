// SPDX-License-Identifier: Apache-2.0
/**
 * Sockets with the commands in flight on them, and the two transports that do the I/O.
 *
 * <p>A {@link io.memshard.client.link.Link} fails once and is never opened again. Its two subclasses, the transports,
 * do the I/O. An {@link io.memshard.client.link.Exchange} is a command in flight.
 *
 * <p>{@code CallerDrivenLink} is the transport without an I/O thread: waiting callers write and read for all callers.
 * {@code EventLoopLink} is the transport on Netty's event loops, with or without TLS. Only {@code EventLoopLink} and
 * its helpers use Netty.
 *
 * <p>Layer: above {@code protocol}, {@code concurrent} and {@code options}, below {@code connection}. Start reading at
 * {@code Exchange}, then {@code Link}, then a transport.
 */
@NullMarked
package io.memshard.client.link;

import org.jspecify.annotations.NullMarked;
