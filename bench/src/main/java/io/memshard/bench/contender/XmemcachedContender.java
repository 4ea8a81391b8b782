// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.transcoders.CachedData;
import net.rubyeye.xmemcached.transcoders.PrimitiveTypeTranscoder;
import net.rubyeye.xmemcached.transcoders.Transcoder;
import org.jspecify.annotations.Nullable;

/**
 * Client XMemcached with the defaults of its builder, which merge gets. The manual recommends one connection to each
 * server. With several, XMemcached picks one at random for each command.
 */
final class XmemcachedContender implements Contender {

    private static final Transcoder<byte[]> BYTES = new Bytes();

    private final MemcachedClient client;

    XmemcachedContender(ContenderSettings settings, int connections) throws IOException {
        XMemcachedClientBuilder builder = new XMemcachedClientBuilder(List.of(settings.server()));
        builder.setOpTimeout(ContenderSettings.TIMEOUT.toMillis());
        builder.setConnectionPoolSize(connections);
        client = builder.build();
    }

    @Override
    public byte @Nullable [] get(String key) throws Exception {
        return client.get(key, BYTES);
    }

    @Override
    public void set(String key, byte[] value) throws Exception {
        client.set(key, 0, value, BYTES);
    }

    @Override
    public void close() {
        try {
            client.shutdown();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Bytes extends PrimitiveTypeTranscoder<byte[]> {

        @Override
        public CachedData encode(byte[] value) {
            return new CachedData(0, value);
        }

        @Override
        public byte[] decode(CachedData data) {
            return data.getData();
        }
    }
}
