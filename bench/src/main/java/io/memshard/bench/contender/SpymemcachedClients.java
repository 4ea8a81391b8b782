// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.spy.memcached.CachedData;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.transcoders.Transcoder;
import org.jspecify.annotations.Nullable;

/**
 * Factory of spymemcached clients, with the defaults of spymemcached's connection factory except for daemon threads and
 * a silent logger.
 *
 * <p>The logger matters: with spymemcached's logger for {@code java.util.logging}, the I/O thread builds a stack trace
 * even for each line that is not printed. Threading: stateless.
 */
public final class SpymemcachedClients {

    /** Transcoder of plain bytes: flags 0, never compressed. */
    public static final Transcoder<byte[]> BYTES = new Bytes();

    static {
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
    }

    private SpymemcachedClients() {}

    /**
     * Opens a client and returns it once all of its connections have answered; spymemcached's constructor returns
     * earlier.
     */
    public static MemcachedClient open(ContenderSettings settings) throws IOException {
        return open(settings, builder -> {});
    }

    /** Opens {@code number} clients. */
    public static List<MemcachedClient> open(ContenderSettings settings, int number) throws IOException {
        List<MemcachedClient> opened = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            opened.add(open(settings));
        }
        return List.copyOf(opened);
    }

    /** Opens a client whose connection factory {@code change} adjusts. */
    public static MemcachedClient open(ContenderSettings settings, Consumer<ConnectionFactoryBuilder> change)
            throws IOException {
        ConnectionFactoryBuilder builder =
                new ConnectionFactoryBuilder().setDaemon(true).setOpTimeout(ContenderSettings.TIMEOUT.toMillis());
        change.accept(builder);
        MemcachedClient client = new MemcachedClient(builder.build(), List.of(settings.server()));
        if (client.getVersions().isEmpty()) {
            close(client);
            throw new IOException("spymemcached could not connect to " + settings.address());
        }
        return client;
    }

    /** Closes {@code client}; no call is under way. */
    public static void close(MemcachedClient client) {
        client.shutdown(1, TimeUnit.SECONDS);
    }

    /** Returns {@code client} without our template, to show the cost of the template. */
    static Contender bare(MemcachedClient client) {
        return new Contender() {
            @Override
            public byte @Nullable [] get(String key) {
                return client.get(key, BYTES);
            }

            @Override
            public void set(String key, byte[] value) throws Exception {
                client.set(key, 0, value, BYTES).get(ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            }

            @Override
            public void close() {
                SpymemcachedClients.close(client);
            }
        };
    }

    /** Transcoder of plain bytes: flags 0, never compressed, decoded on the calling thread. */
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
