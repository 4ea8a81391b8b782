// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of one engine to its servers: each mode is made of these.
 *
 * <p>Opened and closed by a connection factory; its connections are called by any thread.
 *
 * <p>Threading: thread-safe. {@link #choose} and {@link #connection} neither block nor allocate.
 */
interface EngineConnections extends AutoCloseable {

    /** How many connections there are, ready or not; at least 1 and constant. */
    int size();

    /**
     * The client of the connection at {@code index}: the same object at each call. Commands of one
     * thread through it are executed in order. It fails at once while the connection is not ready.
     */
    MemcachedClient<EncodedValue> connection(int index);

    /** The asynchronous client of the connection at {@code index}. */
    <V> AsyncMemcachedClient<V> asyncConnection(int index, Transcoder<V> transcoder);

    /**
     * What takes the commands of the connection at {@code index}.
     *
     * @throws io.memshard.client.exception.MemcachedUnsupportedException if the engine takes none of our commands
     */
    CommandSender sender(int index);

    /** Returns the server that a key belongs to; null if there are several and no key, or if the engine does not tell. */
    default @Nullable ServerAddress addressOf(@Nullable String key) {
        return null;
    }

    /**
     * The index of the connection that the chooser picks for the next command. It is 0 when none is ready: the command
     * then fails with the reason.
     */
    int choose();

    /** The health of each server, asked over the connection at {@code index} or another, without a second attempt. */
    List<ServerHealth> health(int index, Duration timeout);

    /** Whether the connection at {@code index} takes commands now. */
    boolean isReady(int index);

    /**
     * Whether a lost connection is open again within a few seconds after its server is back. A pool keeps such
     * connections and opens no others in their place. The same at each call.
     */
    boolean reconnectsSoon();

    /** As the factory's method. An engine that has connected before waits for nothing. */
    default void awaitReady(Duration timeout) {}

    /** As the factory's method. An engine that cannot drain closes at once. */
    default void close(Duration drainTimeout) {
        close();
    }

    /** Ends every socket, thread and command in flight. Closing again does nothing. */
    @Override
    void close();
}
