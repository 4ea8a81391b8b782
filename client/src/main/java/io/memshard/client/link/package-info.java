// SPDX-License-Identifier: Apache-2.0
/**
 * One socket and the commands in flight on it, independent of the transport that does the I/O.
 *
 * <p>A {@link io.memshard.client.link.Link} fails once and is never opened again. {@link
 * io.memshard.client.link.PipelinedLink} is its core, to which a transport adds the I/O. {@link
 * io.memshard.client.link.Exchange} is one command in flight.
 *
 * <p>Layer: above {@code protocol} and {@code options}, below the transports {@code link.callers} and {@code
 * link.eventloop} and below {@code connection}. Start reading at {@code Exchange}, then {@code PipelinedLink}.
 */
@NullMarked
package io.memshard.client.link;

import org.jspecify.annotations.NullMarked;
