// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.Memshard;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's annotations over a real server, in a context. */
@MemcachedTest
@Timeout(60)
class CacheableIT {

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {

        @Bean
        Memshard memshard(MemcachedServer server) {
            return Caches.memshard(server.address());
        }

        @Bean
        MemcachedCacheManager cacheManager(Memshard memshard) {
            return MemcachedCacheManager.builder(memshard)
                    .cacheDefaults(
                            MemcachedCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(5)))
                    .build();
        }

        @Bean
        Library library() {
            return new Library();
        }
    }

    /** Each of its titles has the number of the call that made it. */
    static class Library {

        private final AtomicInteger calls = new AtomicInteger();

        public int calls() {
            return calls.get();
        }

        private String title(Object key) {
            return key + " " + calls.incrementAndGet();
        }

        @Cacheable("titles")
        public @Nullable String title(String author, int number) {
            String title = title(author);
            return number == 0 ? null : title;
        }

        @Cacheable(cacheNames = "titles", sync = true)
        public String synchronizedTitle(long id) {
            if (id < 0) {
                throw new IllegalArgumentException("no title " + calls.incrementAndGet());
            }
            return title(id);
        }

        @Cacheable("titles")
        public String titleOf(String key) {
            return title(key);
        }

        @CachePut(cacheNames = "titles", key = "#key")
        public String renamed(String key, String title) {
            return title;
        }

        @CacheEvict("titles")
        public void removed(String key) {}

        @CacheEvict(cacheNames = "titles", allEntries = true)
        public void allRemoved() {}

        @CacheEvict(cacheNames = "titles", allEntries = true, beforeInvocation = true)
        public void allRemovedAtOnce() {}
    }

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Library library;
    private final Memshard memshard;

    CacheableIT(MemcachedServer server) {
        context.registerBean(MemcachedServer.class, () -> server, bean -> bean.setDestroyMethodName(""));
        context.register(Caching.class);
        context.refresh();
        library = context.getBean(Library.class);
        memshard = context.getBean(Memshard.class);
    }

    @AfterEach
    void close() {
        MemcachedCache cache =
                (MemcachedCache) context.getBean(CacheManager.class).getCache("titles");
        try {
            assertThat(cache.getStatistics().lostLookups()).isZero();
            assertThat(cache.getStatistics().lostWrites()).isZero();
        } finally {
            context.close();
        }
    }

    @Test
    void aMethodRunsOnceForItsArguments() {
        assertThat(library.title("Austen", 1)).isEqualTo("Austen 1");
        assertThat(library.title("Austen", 1)).isEqualTo("Austen 1");
        assertThat(library.title("Austen", 2)).isEqualTo("Austen 2");
        assertThat(library.title("Austen", 0)).isNull();
        assertThat(library.title("Austen", 0)).isNull();
        assertThat(library.calls()).isEqualTo(3);
    }

    @Test
    void aSynchronizedMethodThrowsItsOwnException() {
        assertThat(library.synchronizedTitle(1)).isEqualTo("1 1");
        assertThat(library.synchronizedTitle(1)).isEqualTo("1 1");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> library.synchronizedTitle(-1))
                .withMessage("no title 2");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> library.synchronizedTitle(-1))
                .withMessage("no title 3");
    }

    @Test
    void entriesArePutAndEvicted() {
        library.removed("a");
        assertThat(library.renamed("a", "new title")).isEqualTo("new title");
        assertThat(library.titleOf("a")).isEqualTo("new title");
        library.removed("a");
        assertThat(library.titleOf("a")).isEqualTo("a 1");
        library.allRemoved();
        assertThat(library.titleOf("a")).isEqualTo("a 2");
        library.allRemovedAtOnce();
        assertThat(library.titleOf("a")).isEqualTo("a 3");
    }

    private Cache.@Nullable ValueWrapper cached(String key) {
        return MemcachedCacheManager.create(memshard).getCache("titles").get(key);
    }

    /** Begins and ends transactions of nothing. */
    private static final class NoResource extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Test
    void writesWaitForTheCommitIfEnabled() {
        Cache aware = MemcachedCacheManager.builder(memshard)
                .transactionAware()
                .build()
                .getCache("titles");
        TransactionTemplate transaction = new TransactionTemplate(new NoResource());
        aware.put("old", "value");

        transaction.executeWithoutResult(status -> {
            aware.put("new", "value");
            aware.evict("old");
            assertThat(cached("new")).isNull();
            assertThat(cached("old")).isNotNull();
        });
        assertThat(cached("new")).isNotNull();
        assertThat(cached("old")).isNull();

        transaction.executeWithoutResult(status -> {
            aware.put("rolled back", "value");
            aware.clear();
            status.setRollbackOnly();
        });
        assertThat(cached("rolled back")).isNull();
        assertThat(cached("new")).isNotNull();
    }
}
