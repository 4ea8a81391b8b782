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
 * @param options the connection's limits
 * @param protocol what is spoken on it: for a link {@link Protocol#META} or {@link Protocol#CLASSIC}
 */
public record LinkContext(ServerAddress server, int index, ConnectionOptions options, Protocol protocol) {

    /** The same for a link that speaks {@code spoken}. */
    public LinkContext speaking(Protocol spoken) {
        return new LinkContext(server, index, options, spoken);
    }

    /** The context of a failure of {@code command}, which may be null, in {@code phase}. */
    public CommandContext forCommand(@Nullable Command<?> command, Phase phase) {
        return new CommandContext(
                server.toString(),
                index,
                command == null ? null : command.verb(),
                command == null ? null : command.key(),
                phase);
    }

    /** {@code host:port[index]}. */
    @Override
    public String toString() {
        return server + "[" + index + "]";
    }
}
