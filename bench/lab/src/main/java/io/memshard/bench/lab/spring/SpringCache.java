// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.spring;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.variant.Variants;
import java.time.Duration;
import java.util.List;

/**
 * How many hits of {@code @Cacheable} a second do the caches of Spring serve, and what does a hit cost?
 *
 * <p>All store the same order by Java serialization, which is the default of the two others. Each is set as it ships.
 * Redis is another server, so its arm is another system, and not another client of the same one.
 */
public final class SpringCache implements Experiment {

    /** Name of the cache. */
    static final String CACHE = "orders";

    private static final String REDIS = "spring-data-redis";
    private static final List<Integer> THREADS = List.of(1, 8, 64);

    @Override
    public String name() {
        return "spring-cache";
    }

    @Override
    public String question() {
        return "How many hits of @Cacheable do the caches of Spring serve, and what does a hit cost?";
    }

    @Override
    public String unit() {
        return "hit";
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
                        "MemcachedCacheManager of memshard-spring, 2 connections",
                        setup -> CachedReads.open(setup, Managers::memshard)),
                Variants.named("spring-sixhours-2.4.3")
                        .arm(
                                "sixhours",
                                "MemcachedCacheManager of the starter of sixhours over XMemcached, 1 connection",
                                setup -> CachedReads.open(setup, Managers::sixhours)),
                Variants.named("spring-data-redis-4.1.1")
                        .arm(
                                REDIS,
                                "RedisCacheManager of Spring Data Redis over Lettuce, 1 connection, and Redis",
                                setup -> CachedReads.open(setup, Managers::redis)));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Condition> conditions = THREADS.stream().map(Condition::ofThreads).toList();
        List<String> names = arms().stream().map(Arm::name).toList();
        return size == Size.QUICK
                ? new Plan(
                        Plan.cross(conditions.subList(0, 2), names),
                        1,
                        Duration.ofMillis(300),
                        Duration.ofMillis(500),
                        0,
                        1,
                        List.of())
                : new Plan(
                        Plan.cross(conditions, names),
                        5,
                        // Deserialization is much code: with two seconds it was half as fast as with twelve.
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(2),
                        0,
                        1,
                        List.of());
    }
}
