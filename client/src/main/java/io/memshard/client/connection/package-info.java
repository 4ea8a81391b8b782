// SPDX-License-Identifier: Apache-2.0
/**
 * Connections, each of which goes to one server and replaces its socket when it is lost.
 *
 * <p>Clients send commands through a chain of {@link io.memshard.client.sender.CommandSender}s, which ends with a
 * {@link io.memshard.client.connection.Connection}. Its superclass, {@code LinkKeeper}, has a {@code State} with at
 * most one {@code Link}, and replaces a lost link. {@code Handshake} opens links and detects the protocol. {@code
 * Addresses} tries the addresses of a server. {@code ConnectionGroup} creates connections and owns their threads.
 * {@code PerServer} has the state that the connections to a server share.
 *
 * <p>Layer: above {@code link} and its transports, below the operations of clients. Start reading at {@code
 * Connection}, then {@code LinkKeeper}.
 */
@NullMarked
package io.memshard.client.connection;

import org.jspecify.annotations.NullMarked;
