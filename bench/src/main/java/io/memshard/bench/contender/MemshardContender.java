// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Memshard client that a builder describes. */
public final class MemshardContender implements Contender {

    private final Memshard memshard;
    private final MemcachedClient<byte[]> blocking;
    private final AsyncMemcachedClient<byte[]> async;

    /** Connects the client of {@code builder}. */
    public MemshardContender(MemshardBuilder builder) {
        memshard = builder.build();
        blocking = memshard.client();
        async = memshard.asyncClient();
        blocking.version();
    }

    @Override
    public byte @Nullable [] get(String key) {
        return blocking.get(key);
    }

    @Override
    public void set(String key, byte[] value) {
        blocking.set(key, value, TimeToLive.NEVER);
    }

    @Override
    public Future<byte @Nullable []> getAsync(String key) {
        return async.get(key);
    }

    @Override
    public void close() {
        memshard.close();
    }
}
