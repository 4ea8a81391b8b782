// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import org.jspecify.annotations.Nullable;

/** Memshard client that a builder describes. */
final class MemshardContender implements Contender {

    private final Memshard memshard;
    private final MemcachedClient<byte[]> blocking;

    /** Connects the client of {@code builder}. */
    MemshardContender(MemshardBuilder builder) {
        memshard = builder.build();
        blocking = memshard.client();
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
    public void close() {
        memshard.close();
    }
}
