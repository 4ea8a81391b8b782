package io.memshard.sharding;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Memshard} is made with: the settings of a {@link MemshardBuilder}, which describes and checks each of
 * them.
 *
 * <p>Threading: immutable.
 *
 * @param server the server
 * @param connectionsPerServer how many connections it has, at least 1
 * @param chooser which connection takes a command
 * @param transport which threads do the I/O
 * @param requestTimeout how long a command may take, from call to reply
 * @param ioThreads how many event-loop threads the connections share, at least 1
 * @param connection how each connection behaves
 * @param failurePolicy what the clients do about failures
 * @param listener is told what happens on the connections; null for none
 */
public record MemshardOptions(
        ServerAddress server,
        int connectionsPerServer,
        ConnectionChooser chooser,
        Transport transport,
        Duration requestTimeout,
        int ioThreads,
        ConnectionOptions connection,
        FailurePolicy failurePolicy,
        @Nullable ConnectionListener listener) {

    /** The same with another number of connections, and with no more event-loop threads than these can use. */
    public MemshardOptions withConnections(int connections) {
        return new MemshardOptions(
                server,
                connections,
                chooser,
                transport,
                requestTimeout,
                Math.min(ioThreads, connections),
                connection,
                failurePolicy,
                listener);
    }
}
