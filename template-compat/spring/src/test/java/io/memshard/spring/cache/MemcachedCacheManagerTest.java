// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.Memshard;
import io.memshard.client.TimeToLive;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Opens no connection: nothing is asked before a cache is used. */
class MemcachedCacheManagerTest {

    private static final MemcachedCacheConfiguration DEFAULTS = MemcachedCacheConfiguration.defaultCacheConfig();
    private static final MemcachedCacheConfiguration SHORT = DEFAULTS.entryTtl(Duration.ofMinutes(1));

    private final Memshard memshard =
            Memshard.builder().servers("127.0.0.1:11211").build();

    @AfterEach
    void close() {
        memshard.close();
    }

    private static MemcachedCacheConfiguration configurationOf(MemcachedCacheManager manager, String name) {
        return ((MemcachedCache) manager.getCache(name)).getCacheConfiguration();
    }

    @Test
    void aCacheIsCreatedOnItsFirstRequest() {
        MemcachedCacheManager manager = MemcachedCacheManager.create(memshard);

        assertThat(manager.getCacheNames()).isEmpty();
        assertThat(manager.getCache("books")).isSameAs(manager.getCache("books"));
        assertThat(manager.getCacheNames()).containsExactly("books");
        assertThat(configurationOf(manager, "books")).isEqualTo(DEFAULTS);
    }

    @Test
    void onlyTheNamedCachesExistIfCreationIsDisabled() {
        MemcachedCacheManager manager = MemcachedCacheManager.builder(memshard)
                .initialCacheNames(Set.of("books"))
                .disableCreateOnMissingCache()
                .build();

        assertThat(manager.getCacheNames()).containsExactly("books");
        assertThat(manager.getCache("films")).isNull();
    }

    @Test
    void eachCacheHasItsConfiguration() {
        MemcachedCacheConfiguration own = DEFAULTS.disableCachingNullValues();
        MemcachedCacheManager.Builder builder = MemcachedCacheManager.builder(memshard)
                .withCacheConfiguration("books", own)
                .cacheDefaults(SHORT)
                .initialCacheNames(Set.of("books", "films"))
                .withInitialCacheConfigurations(Map.of("plays", DEFAULTS));
        MemcachedCacheManager manager = builder.build();

        assertThat(builder.cacheDefaults()).isEqualTo(SHORT);
        assertThat(manager.getCacheConfigurations()).containsOnlyKeys("books", "films", "plays");
        assertThat(configurationOf(manager, "books")).isEqualTo(own);
        assertThat(configurationOf(manager, "films")).isEqualTo(SHORT);
        assertThat(configurationOf(manager, "songs")).isEqualTo(SHORT);
    }

    @Test
    void cachesOfTheBuildStayWhenSpringInitializesTheBean() throws Exception {
        MemcachedCacheManager manager = MemcachedCacheManager.builder(memshard)
                .initialCacheNames(Set.of("books"))
                .build();
        Object before = manager.getCache("books");

        manager.afterPropertiesSet();

        assertThat(manager.getCache("books")).isSameAs(before);
    }

    @Test
    void prefixesAreComputedFromTheCachesName() {
        assertThat(DEFAULTS.keyPrefix().apply("books")).isEqualTo("books::");
        assertThat(DEFAULTS.prefixCacheNameWith("shop:").keyPrefix().apply("books"))
                .isEqualTo("shop:books::");
        assertThat(DEFAULTS.computePrefixWith(name -> name + '/').keyPrefix().apply("books"))
                .isEqualTo("books/");
        assertThat(DEFAULTS.disableKeyPrefix().keyPrefix().apply("books")).isEmpty();
    }

    @Test
    void timesToLiveAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.entryTtl(Duration.ZERO))
                .withMessageContaining("TimeToLive.NEVER");
        assertThat(DEFAULTS.ttlFunction().getTimeToLive("key", "value")).isEqualTo(TimeToLive.NEVER);
        assertThat(SHORT.ttlFunction().getTimeToLive("key", null)).isEqualTo(Duration.ofMinutes(1));
    }
}
