// SPDX-License-Identifier: Apache-2.0
/**
 * One connection to one server: commands in, replies out, and another socket when one is lost.
 *
 * <p>{@link io.memshard.client.sender.CommandSender} is the seam that everything composes over, and {@link
 * io.memshard.client.connection.Connection} its innermost form. {@code ReconnectingConnection} holds at most one {@code
 * Link} and replaces it. {@code Handshake} opens links, over {@code AddressRace} where a name has several
 * addresses, and finds out the protocol. {@code ConnectionGroup} makes connections and owns their threads.
 *
 * <p>Layer: above {@code link} and its transports, below the operations of clients. Start reading at {@code
 * Connection}, then {@code ReconnectingConnection}.
 */
@NullMarked
package io.memshard.client.connection;

import org.jspecify.annotations.NullMarked;
