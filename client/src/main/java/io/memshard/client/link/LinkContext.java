// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Server, connection index (from 0), settings and limits of a link. Only a second socket has a name. */
public record LinkContext(
        ServerAddress server,
        int index,
        @Nullable String socket,
        ConnectionOptions options,
        Protocol protocol,
        InFlight.Budget budget,
        BooleanSupplier isIoThread) {

    public LinkContext(ServerAddress server, int index, ConnectionOptions options, Protocol protocol) {
        this(server, index, null, options, protocol, new InFlight.Budget(options.bytesInFlight()), () -> false);
    }

    public LinkContext ofSocket(String name) {
        return new LinkContext(server, index, name, options, protocol, budget, isIoThread);
    }

    public LinkContext speaking(Protocol spoken) {
        return new LinkContext(server, index, socket, options, spoken, budget, isIoThread);
    }

    public CommandContext forCommand(@Nullable Command<?> command, Phase phase) {
        return command == null ? forCommand(null, null, phase) : forCommand(command.verb(), command.key(), phase);
    }

    public CommandContext forCommand(@Nullable String verb, @Nullable String key, Phase phase) {
        return new CommandContext(server.toString(), index, verb, key, phase, socket, options.hideKeys);
    }

    @Override
    public String toString() {
        return server + "[" + index + "]" + (socket == null ? "" : " " + socket);
    }
}
