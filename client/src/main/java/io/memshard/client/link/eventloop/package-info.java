// SPDX-License-Identifier: Apache-2.0
/**
 * The transport on Netty event loops, also with TLS. Netty is used here and nowhere else in the client.
 *
 * <p>Layer: above {@code link}, below {@code connection}. Start reading at {@code EventLoopLink}, then {@link
 * io.memshard.client.link.eventloop.EventLoopOpener}.
 */
@NullMarked
package io.memshard.client.link.eventloop;

import org.jspecify.annotations.NullMarked;
