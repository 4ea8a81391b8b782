// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.spy.memcached.CachedData;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.transcoders.Transcoder;

/** Factory of clients without a logger. Spymemcached's logger creates stack traces even for lines that it omits. */
final class SpymemcachedClients {

    private static final Transcoder<byte[]> BYTES = new Bytes();

    static {
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
    }

    private SpymemcachedClients() {}

    static Contender single(ContenderSettings settings) throws IOException {
        return single(settings, builder -> {});
    }

    static Contender single(ContenderSettings settings, Consumer<ConnectionFactoryBuilder> change) throws IOException {
        ConnectionFactoryBuilder builder = new ConnectionFactoryBuilder()
                .setDaemon(true)
                .setOpTimeout(settings.timeout().toMillis());
        change.accept(builder);
        MemcachedClient client = new MemcachedClient(builder.build(), settings.servers());
        // The constructor returns before the client is connected.
        if (client.getVersions().size() < settings.servers().size()) {
            client.shutdown();
            throw new IOException("spymemcached could not connect to " + settings.address());
        }
        return new Contender(
                key -> client.get(key, BYTES),
                (key, value) ->
                        client.set(key, 0, value, BYTES).get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS),
                () -> client.shutdown(1, TimeUnit.SECONDS));
    }

    private static final class Bytes implements Transcoder<byte[]> {

        @Override
        public boolean asyncDecode(CachedData data) {
            return false;
        }

        @Override
        public CachedData encode(byte[] value) {
            return new CachedData(0, value, getMaxSize());
        }

        @Override
        public byte[] decode(CachedData data) {
            return data.getData();
        }

        @Override
        public int getMaxSize() {
            return CachedData.MAX_SIZE;
        }
    }
}
