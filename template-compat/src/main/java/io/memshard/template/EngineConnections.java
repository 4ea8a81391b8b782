// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.admin.ServerHealth;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections of one engine to its servers; thread-safe. {@link #choose} neither blocks nor allocates. */
interface EngineConnections extends AutoCloseable {

    int size();

    @Nullable
    EncodedValue get(int index, String key);

    <V> void set(int index, String key, V value, Duration ttl, Transcoder<V> transcoder);

    void checkAnswers();

    /** Returns the index of the connection that the chooser picks, or 0 if no connection is ready. */
    int choose();

    /** Returns an index that makes engine memshard choose a connection for each command. */
    default int chooseForEach() {
        return choose();
    }

    List<ServerHealth> health(int index, Duration timeout);

    boolean isReady(int index);

    /** Does nothing by default, because the constructor of {@link SpymemcachedConnections} opens the connections. */
    default void awaitReady(Duration timeout) {}

    /** Closes at once by default, because engine spymemcached cannot wait for commands in flight. */
    default void close(Duration drainTimeout) {
        close();
    }

    @Override
    void close();
}
