// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.spring;

import io.memshard.Memshard;
import io.memshard.bench.lab.variant.Bean;
import io.memshard.bench.serializer.SampleOrder;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import java.net.InetSocketAddress;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import org.springframework.cache.CacheManager;

/** Opens the cache managers that are compared, each as it ships. Threading: stateless. */
final class Managers {

    private static final String SIXHOURS = "io.sixhours.memcached.cache.";
    private static final String REDIS = "org.springframework.data.redis.";

    private Managers() {}

    /** How a manager is opened. */
    interface Opener {
        OpenedManager open(InetSocketAddress server) throws Exception;
    }

    /**
     * A manager and what closes its connections.
     *
     * @param manager of the caches
     * @param closer closes its connections
     */
    record OpenedManager(CacheManager manager, AutoCloseable closer) {}

    /** Ours. */
    static OpenedManager memshard(InetSocketAddress server) {
        Memshard memshard = Memshard.builder().servers(address(server)).build();
        return new OpenedManager(
                MemcachedCacheManager.builder(memshard)
                        .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                                .allowSerializable(SampleOrder.class.getPackageName() + ".*"))
                        .build(),
                memshard);
    }

    /** That of the starter of sixhours, as its auto-configuration makes it for the protocol text. */
    static OpenedManager sixhours(InetSocketAddress server) throws Exception {
        MemcachedClient client = new XMemcachedClientBuilder(address(server)).build();
        Object wrapped = Bean.construct(SIXHOURS + "XMemcachedClient", client);
        Object manager = Bean.construct(SIXHOURS + "MemcachedCacheManager", wrapped);
        return new OpenedManager((CacheManager) manager, client::shutdown);
    }

    /** That of Spring Data Redis. */
    static OpenedManager redis(InetSocketAddress server) throws Exception {
        Object standalone = Bean.construct(
                REDIS + "connection.RedisStandaloneConfiguration", server.getHostString(), server.getPort());
        Bean connections =
                Bean.around(Bean.construct(REDIS + "connection.lettuce.LettuceConnectionFactory", standalone));
        connections.call("afterPropertiesSet");
        connections.call("start");
        Object manager = Bean.callStatic(REDIS + "cache.RedisCacheManager", "create", connections.as(Object.class));
        Bean.around(manager).call("afterPropertiesSet");
        return new OpenedManager((CacheManager) manager, () -> connections.call("destroy"));
    }

    private static String address(InetSocketAddress server) {
        return server.getHostString() + ":" + server.getPort();
    }
}
