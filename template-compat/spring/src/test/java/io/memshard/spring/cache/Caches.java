// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.options.Protocol;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Clients of the tests of caches, and caches over them. */
final class Caches {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Caches() {}

    /** Returns a builder of a client that waits long enough for every answer. */
    static MemshardBuilder patient() {
        return Memshard.builder()
                .requestTimeout(PATIENCE)
                .connectTimeout(PATIENCE)
                .livenessTimeout(PATIENCE);
    }

    static Memshard memshard(InetSocketAddress server) {
        return memshard(server, Protocol.AUTO);
    }

    static Memshard memshard(InetSocketAddress server, Protocol protocol) {
        return patient().servers(server).protocol(protocol).build();
    }

    /** Returns a cache named {@code books}. */
    static MemcachedCache books(Memshard memshard) {
        return books(memshard, MemcachedCacheConfiguration.defaultCacheConfig());
    }

    static MemcachedCache books(Memshard memshard, MemcachedCacheConfiguration configuration) {
        return books(MemcachedCacheManager.builder(memshard), configuration);
    }

    static MemcachedCache books(MemcachedCacheManager.Builder builder, MemcachedCacheConfiguration configuration) {
        return (MemcachedCache) builder.cacheDefaults(configuration).build().getCache("books");
    }
}
