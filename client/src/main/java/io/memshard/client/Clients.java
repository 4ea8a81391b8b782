package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.ServerAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** Puts the client interfaces over whatever takes commands: a connection or an array of them. */
public final class Clients {

    private Clients() {}

    /**
     * A blocking client.
     *
     * @param maxValueBytes the largest value to send
     * @param requestTimeout how long a call waits for its reply
     */
    public static <V> MemcachedClient<V> blocking(
            CommandSender sender, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return new SenderClient<>(
                sender, new ClientCommands<>(transcoder, maxValueBytes, Clock.systemUTC()), requestTimeout.toNanos());
    }

    /**
     * An asynchronous client.
     *
     * @param maxValueBytes the largest value to send
     * @param requestTimeout how long until a future fails
     */
    public static <V> AsyncMemcachedClient<V> async(
            CommandSender sender, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return new AsyncSenderClient<>(
                sender, new ClientCommands<>(transcoder, maxValueBytes, Clock.systemUTC()), requestTimeout);
    }

    /**
     * An admin client.
     *
     * @param servers what takes the commands for each server, in the order of the results; copied
     * @param requestTimeout how long a call waits for the last of them
     */
    public static AdminClient admin(Map<ServerAddress, ? extends CommandSender> servers, Duration requestTimeout) {
        return new SenderAdminClient(servers, requestTimeout.toNanos());
    }
}
