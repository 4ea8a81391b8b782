// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.admin.ServerHealth;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Open connections of one engine to its servers, on which each mode is built.
 *
 * <p>Threading: thread-safe. {@link #choose} neither blocks nor allocates.
 */
interface EngineConnections extends AutoCloseable {

    /** Returns the number of connections, ready or not; at least 1 and constant. */
    int size();

    /**
     * Returns the stored value, or null on a miss. A server executes the commands of one thread over a connection in
     * order.
     */
    @Nullable
    EncodedValue get(int index, String key);

    <V> void set(int index, String key, V value, Duration ttl, Transcoder<V> transcoder);

    /** Throws if the server does not answer a command over the first connection. */
    void checkAnswers();

    /** Returns the server of {@code key}; null if it is unknown, or if there are several and {@code key} is null. */
    default @Nullable ServerAddress addressOf(@Nullable String key) {
        return null;
    }

    default long callNanos(long timeoutNanos) {
        return timeoutNanos;
    }

    /** Returns the index of the connection that the chooser picks; 0 if none is ready, so that the command fails. */
    int choose();

    /** Returns an index like {@link #choose}, but each command sent to that index may go to another connection. */
    default int chooseForEach() {
        return choose();
    }

    /** Returns the health of each server. Only engine spymemcached uses {@code index}. */
    List<ServerHealth> health(int index, Duration timeout);

    boolean isReady(int index);

    /** Waits until each connection is ready. Does nothing by default, for an engine that has already connected. */
    default void awaitReady(Duration timeout) {}

    /** Closes at once by default, for an engine that cannot wait for commands in flight. */
    default void close(Duration drainTimeout) {
        close();
    }

    /** Closes every socket, stops every thread and fails every command in flight. Closing again does nothing. */
    @Override
    void close();
}
