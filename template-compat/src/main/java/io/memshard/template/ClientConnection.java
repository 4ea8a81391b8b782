// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Base of the handles. {@link #get} decodes the stored value itself, and creates no client of the value's type. */
abstract class ClientConnection implements MemcachedConnection, Lender {

    private final EngineConnectionFactory factory;
    private final int index;

    ClientConnection(EngineConnectionFactory factory, int index) {
        this.factory = factory;
        this.index = index;
    }

    abstract EngineConnections connections();

    @Override
    public final <T> T lend(EngineConnectionFactory.Use<T> use) {
        return use.of(connections(), index);
    }

    @Override
    public final <T> @Nullable T get(String key, Transcoder<T> serializer) {
        EncodedValue stored = connections().get(index, key);
        return stored == null ? null : stored.decodeWith(serializer, key);
    }

    @Override
    public final <T> void set(String key, T value, Duration ttl, Transcoder<T> serializer) {
        connections().set(index, key, value, ttl, serializer);
    }

    @Override
    public final <T> MemcachedClient<T> client(Transcoder<T> serializer) {
        return factory.client(this, serializer);
    }
}
