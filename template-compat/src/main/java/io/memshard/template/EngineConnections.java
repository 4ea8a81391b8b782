// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Open connections of one engine to its servers, the building block of each mode.
 *
 * <p>A connection factory opens and closes them; any thread calls their clients.
 *
 * <p>Threading: thread-safe. {@link #choose} and {@link #connection} neither block nor allocate.
 */
interface EngineConnections extends AutoCloseable {

    /** Returns the number of connections, ready or not; at least 1 and constant. */
    int size();

    /**
     * Returns the client of the connection at {@code index}, the same object at each call. Commands of one thread
     * through the client are executed in order. They fail at once while the connection is not ready.
     */
    MemcachedClient<EncodedValue> connection(int index);

    /** Returns the asynchronous client of the connection at {@code index}. */
    <V> AsyncMemcachedClient<V> asyncConnection(int index, Transcoder<V> transcoder);

    /**
     * Returns the sender of the connection at {@code index}.
     *
     * @throws io.memshard.client.exception.MemcachedUnsupportedException if the engine does not take Memshard's
     *     commands
     */
    CommandSender sender(int index);

    /** Returns the server that a key belongs to; null if there are several and no key, or if unknown. */
    default @Nullable ServerAddress addressOf(@Nullable String key) {
        return null;
    }

    /**
     * Returns the index of the connection that the chooser picks for the next command. If no connection is ready, the
     * index is 0 and the command fails with the reason.
     */
    int choose();

    /** Same as {@link #choose}, but each command that is sent there may go to another connection. */
    default int chooseForEach() {
        return choose();
    }

    /**
     * Returns the health of each server, queried over the connection at {@code index} or another, without a second
     * attempt.
     */
    List<ServerHealth> health(int index, Duration timeout);

    /** Returns whether the connection at {@code index} takes commands now. */
    boolean isReady(int index);

    /**
     * Returns whether a lost connection is open again within a few seconds after its server is back. A pool keeps such
     * connections and opens no replacements. The result is the same at each call.
     */
    boolean reconnectsSoon();

    /** Waits as the factory's method does. An engine that has connected already does not wait. */
    default void awaitReady(Duration timeout) {}

    /** Closes as the factory's method does. An engine that cannot drain closes at once. */
    default void close(Duration drainTimeout) {
        close();
    }

    /** Closes every socket, stops every thread and fails every command in flight. Closing again does nothing. */
    @Override
    void close();
}
