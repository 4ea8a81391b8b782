// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Handle that uses one connection to each server, obtained from {@link MemcachedConnectionFactory#getConnection()}.
 *
 * <p>See {@link MemcachedClient} for keys, times to live and failures.
 *
 * <p>Threading: thread-safe. The commands that one thread sends through one handle are executed in order.
 *
 * <p>Closing the handle of a pooled connection returns the connection to the pool. Afterwards, commands through the
 * handle and its clients throw an {@link IllegalStateException}. Closing a closed handle, or the handle of a shared
 * connection, does nothing.
 */
public interface MemcachedConnection extends AutoCloseable {

    /** Returns the value, or null on a miss. */
    default <T> @Nullable T get(String key, Transcoder<T> serializer) {
        return client(serializer).get(key);
    }

    /** Stores the value, and replaces an existing item. */
    default <T> void set(String key, T value, Duration ttl, Transcoder<T> serializer) {
        client(serializer).set(key, value, ttl);
    }

    /**
     * Returns a client that sends its commands over this connection. An operation that the client library does not
     * support throws a {@link io.memshard.client.exception.MemcachedUnsupportedException}.
     */
    <T> MemcachedClient<T> client(Transcoder<T> serializer);

    @Override
    void close();
}
