// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.client.MemcachedClient;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Memshard in a way that no contender has: a protocol, a number of sockets, a transport. */
final class MemshardGet implements Contender {

    private final Memshard memshard;
    private final MemcachedClient<byte[]> client;

    MemshardGet(MemshardBuilder builder) {
        memshard = builder.build();
        client = memshard.client();
        client.version();
    }

    /** {@code host:port} of the server of {@code settings}. */
    static String address(ContenderSettings settings) {
        InetSocketAddress server = settings.servers().get(0);
        return server.getHostString() + ":" + server.getPort();
    }

    @Override
    public byte @Nullable [] get(String key) {
        return client.get(key);
    }

    @Override
    public void set(String key, byte[] value) {
        throw new UnsupportedOperationException("the experiment only reads");
    }

    @Override
    public void close() {
        memshard.close();
    }
}
