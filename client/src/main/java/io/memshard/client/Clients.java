package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import java.time.Clock;
import java.time.Duration;

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
}
