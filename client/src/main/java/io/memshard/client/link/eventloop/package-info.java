// SPDX-License-Identifier: Apache-2.0
/**
 * Transport on Netty event loops, with or without TLS. No other package of the client uses Netty.
 *
 * <p>Layer: above {@code link}, below {@code connection}. Start reading at {@code EventLoopLink}, then {@link
 * io.memshard.client.link.eventloop.EventLoopOpener}.
 */
@NullMarked
package io.memshard.client.link.eventloop;

import org.jspecify.annotations.NullMarked;
