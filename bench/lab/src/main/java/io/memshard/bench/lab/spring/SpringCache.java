// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.spring;

import io.memshard.Memshard;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.variant.Bean;
import io.memshard.bench.lab.variant.Variants;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.serializer.SampleOrder;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import org.springframework.cache.CacheManager;

/**
 * Experiment on hits: the number of {@code @Cacheable} hits a second that caches of Spring serve, and the cost of a
 * hit.
 *
 * <p>All caches store the same order by Java serialization, which is the default of sixhours and Spring Data Redis.
 * Otherwise each cache has default settings. Redis is a different server, so its arm is a different system, not just a
 * different client.
 */
public final class SpringCache extends Experiment {

    /** Name of the cache. */
    static final String CACHE = "orders";

    private static final String REDIS = "spring-data-redis";
    private static final String SIXHOURS = "io.sixhours.memcached.cache.";

    /** Makes the experiment. */
    public SpringCache() {
        super("spring-cache", "hit");
    }

    @Override
    public ServerNeed serverFor(String arm, Condition condition) {
        return arm.equals(REDIS) ? ServerNeed.REDIS : ServerNeed.DEFAULT;
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                Arm.of(
                        "memshard",
                        "as many connections as pay",
                        setup -> new CachedReads(setup, SpringCache::memshard)),
                Variants.arm(
                        "sixhours",
                        "the starter of sixhours over XMemcached, 1 connection",
                        "spring-sixhours-2.4.3",
                        setup -> new CachedReads(setup, SpringCache::sixhours)),
                Variants.arm(
                        REDIS,
                        "RedisCacheManager of Spring Data Redis over Lettuce, 1 connection, and Redis",
                        "spring-data-redis-4.1.1",
                        setup -> new CachedReads(setup, SpringCache::redis)));
    }

    /** Manager and the object that closes its connections. */
    record OpenedManager(CacheManager manager, AutoCloseable closer) {}

    static OpenedManager memshard(InetSocketAddress server) {
        Memshard memshard = Memshard.builder().servers(address(server)).build();
        return new OpenedManager(
                MemcachedCacheManager.builder(memshard)
                        .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                                .allowSerializable(SampleOrder.class.getPackageName() + ".*"))
                        .build(),
                memshard);
    }

    /** Opens the manager of the starter of sixhours, as its auto-configuration creates it for the text protocol. */
    private static OpenedManager sixhours(InetSocketAddress server) throws Exception {
        MemcachedClient client = new XMemcachedClientBuilder(address(server)).build();
        Object wrapped = Bean.construct(SIXHOURS + "XMemcachedClient", client);
        Object manager = Bean.construct(SIXHOURS + "MemcachedCacheManager", wrapped);
        return new OpenedManager((CacheManager) manager, client::shutdown);
    }

    private static OpenedManager redis(InetSocketAddress server) throws Exception {
        String redis = "org.springframework.data.redis.";
        Object standalone = Bean.construct(
                redis + "connection.RedisStandaloneConfiguration", server.getHostString(), server.getPort());
        Bean connections =
                Bean.around(Bean.construct(redis + "connection.lettuce.LettuceConnectionFactory", standalone));
        connections.call("afterPropertiesSet");
        connections.call("start");
        Object manager = Bean.callStatic(redis + "cache.RedisCacheManager", "create", connections.as(Object.class));
        Bean.around(manager).call("afterPropertiesSet");
        return new OpenedManager((CacheManager) manager, () -> connections.call("destroy"));
    }

    private static String address(InetSocketAddress server) {
        return server.getHostString() + ":" + server.getPort();
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Condition> conditions =
                Stream.of(1, 8, 64).map(Condition::ofThreads).toList();
        // Deserialization is much code: with a warm-up of two seconds it was half as fast as with twelve.
        return size == Size.QUICK
                ? Plan.quick(Plan.cross(conditions.subList(0, 2), armNames()))
                : Plan.of(Plan.cross(conditions, armNames()), 5, Duration.ofSeconds(20), Duration.ofSeconds(2));
    }
}
