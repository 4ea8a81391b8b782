// SPDX-License-Identifier: Apache-2.0
/**
 * One connection to one server: commands in, replies out, and another socket when one is lost.
 *
 * <p>The packages above are composed of {@link io.memshard.client.sender.CommandSender}s, the innermost of which is a
 * {@link io.memshard.client.connection.Connection}. {@code ReconnectingConnection} sends commands, and its {@code
 * LinkKeeper} holds at most one {@code Link}, in a {@code State}, and replaces it. {@code Handshake} opens links, by an
 * {@code AddressRace} if a name has several addresses, and detects the protocol. {@code ConnectionGroup} makes
 * connections and owns their threads; {@code PerServer} has the state that the connections to a server share.
 *
 * <p>Layer: above {@code link} and its transports, below the operations of clients. Start reading at {@code
 * Connection}, then {@code ReconnectingConnection}.
 */
@NullMarked
package io.memshard.client.connection;

import org.jspecify.annotations.NullMarked;
