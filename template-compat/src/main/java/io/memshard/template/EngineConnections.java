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
 * Open connections of one engine to its servers, the building block of each mode.
 *
 * <p>A connection factory opens and closes the connections. Any thread may call their clients.
 *
 * <p>Threading: thread-safe. {@link #choose} neither blocks nor allocates.
 */
interface EngineConnections extends AutoCloseable {

    /** Returns the number of connections, ready or not; at least 1 and constant. */
    int size();

    /**
     * Reads a value in its stored form over the connection at {@code index}; null on a miss. Commands of one thread
     * over a connection are executed in order. Commands fail at once while the connection is lost.
     */
    @Nullable
    EncodedValue get(int index, String key);

    /** Stores a value over the connection at {@code index}. */
    <V> void set(int index, String key, V value, Duration ttl, Transcoder<V> transcoder);

    /** Queries the server over the first connection, and throws if it does not answer. */
    void checkAnswers();

    /**
     * Returns the server that a key belongs to; null if the server is unknown, or if {@code key} is null and there are
     * several servers.
     */
    default @Nullable ServerAddress addressOf(@Nullable String key) {
        return null;
    }

    /**
     * Returns the time limit of a call that begins now. By default this limit is the timeout, for an engine whose
     * connections are already open.
     */
    default long callNanos(long timeoutNanos) {
        return timeoutNanos;
    }

    /**
     * Returns the index of the connection that the chooser picks for the next command. If no connection is ready, the
     * index is 0, and the command fails with an exception that says why.
     */
    int choose();

    /** Returns an index like {@link #choose}, but each command sent to that index may go to another connection. */
    default int chooseForEach() {
        return choose();
    }

    /** Queries each server once and returns the results. Only engine spymemcached uses {@code index}. */
    List<ServerHealth> health(int index, Duration timeout);

    boolean isReady(int index);

    /**
     * Waits like {@link MemcachedConnectionFactory#awaitReady}. Does nothing by default, for an engine that has already
     * connected.
     */
    default void awaitReady(Duration timeout) {}

    /**
     * Closes like {@link MemcachedConnectionFactory#close(Duration)}. Closes at once by default, for an engine that
     * cannot wait for commands in flight.
     */
    default void close(Duration drainTimeout) {
        close();
    }

    /** Closes every socket, stops every thread and fails every command in flight. Closing again does nothing. */
    @Override
    void close();
}
