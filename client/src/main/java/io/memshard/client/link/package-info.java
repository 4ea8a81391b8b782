// SPDX-License-Identifier: Apache-2.0
/**
 * Sockets with the commands in flight on them, their settings, and the two transports that do the I/O.
 *
 * <p>In {@code CallerDrivenLink}, waiting callers write and read for all callers. {@code EventLoopLink} uses Netty's
 * event loops, with or without TLS. Only {@code EventLoopLink} and its helpers use Netty.
 *
 * <p>Layer: above {@code protocol}, {@code concurrent} and {@code options}, below {@code connection}. Start reading at
 * {@code Exchange}, then {@code Link}, then a transport.
 */
@NullMarked
package io.memshard.client.link;

import org.jspecify.annotations.NullMarked;
