// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import org.jspecify.annotations.Nullable;

/**
 * Whose link it is, and under which limits.
 *
 * @param server the server as configured
 * @param index the connection's position in its array
 * @param socket which of two sockets of the connection; null for the first or only one
 * @param options the connection's limits
 * @param protocol what is spoken on it: for a link {@link Protocol#META} or {@link Protocol#CLASSIC}
 * @param budget how many bytes all connections of the client may have in flight
 */
public record LinkContext(
        ServerAddress server,
        int index,
        @Nullable String socket,
        ConnectionOptions options,
        Protocol protocol,
        ByteBudget budget) {

    /** That of a client with no other connection. */
    public LinkContext(ServerAddress server, int index, ConnectionOptions options, Protocol protocol) {
        this(server, index, null, options, protocol, new ByteBudget(options.bytesInFlight()));
    }

    /** The same for another socket of the connection, by a name of its own. */
    public LinkContext ofSocket(String name) {
        return new LinkContext(server, index, name, options, protocol, budget);
    }

    /** The same for a link that speaks {@code spoken}. */
    public LinkContext speaking(Protocol spoken) {
        return new LinkContext(server, index, socket, options, spoken, budget);
    }

    /** The context of a failure of {@code command}, which may be null, in {@code phase}. */
    public CommandContext forCommand(@Nullable Command<?> command, Phase phase) {
        return command == null ? forCommand(null, null, phase) : forCommand(command.verb(), command.key(), phase);
    }

    /** The context of a failure of a command with this verb and this key. */
    public CommandContext forCommand(@Nullable String verb, @Nullable String key, Phase phase) {
        return new CommandContext(server.toString(), index, verb, key, phase, socket, options.hidesKeys());
    }

    /** {@code host:port[index]}, with the name of the socket where a connection has two. */
    @Override
    public String toString() {
        return server + "[" + index + "]" + (socket == null ? "" : " " + socket);
    }
}
