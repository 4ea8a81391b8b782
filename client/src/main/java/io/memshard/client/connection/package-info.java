// SPDX-License-Identifier: Apache-2.0
/**
 * Connections to one server, which replace their socket when it is lost.
 *
 * <p>The packages above are composed of {@link io.memshard.client.sender.CommandSender}s, the innermost of which is a
 * {@link io.memshard.client.connection.Connection}. {@code ReconnectingConnection} sends commands. Its {@code
 * LinkKeeper} has at most one {@code Link}, in a {@code State}, and replaces it. {@code Handshake} opens links and
 * detects the protocol. {@code Addresses} tries the addresses of a name. {@code ConnectionGroup} creates connections
 * and owns their threads. {@code PerServer} has the state that the connections to a server share.
 *
 * <p>Layer: above {@code link} and its transports, below the operations of clients. Start reading at {@code
 * Connection}, then {@code ReconnectingConnection}.
 */
@NullMarked
package io.memshard.client.connection;

import org.jspecify.annotations.NullMarked;
