// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.testkit.EmbeddedMemcached;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that was written for the starter of sixhours. Only the dependency is another one. */
@ExtendWith(OutputCaptureExtension.class)
class FormerApplicationTest {

    private static final String FORMER = "memcached.cache.";

    /** A value of the application's own. */
    public record Book(String title) implements Serializable {}

    /** Service whose results the application caches. */
    public static class Shop {

        private final AtomicInteger calls = new AtomicInteger();

        /** A value of the JDK. */
        @Cacheable("books")
        public List<String> titles(String author) {
            calls.incrementAndGet();
            return List.of("Emma", "Persuasion");
        }

        /** A value of its own class. */
        @Cacheable("books")
        public Book book(long id) {
            calls.incrementAndGet();
            return new Book("Emma");
        }

        /** Uses a cache that is disabled. */
        @Cacheable("authors")
        public String author(long id) {
            calls.incrementAndGet();
            return "Jane";
        }

        /** Empties the cache. */
        @CacheEvict(cacheNames = "books", allEntries = true)
        public void changed() {}

        /** Returns the number of calls that were not hits. */
        public int calls() {
            return calls.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCaching
    static class Application {

        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    private static ConfigurableApplicationContext start(EmbeddedMemcached server, String... more) {
        SpringApplication application = new SpringApplication(Application.class);
        String[] arguments = new String[more.length + 2];
        arguments[0] = "--spring.config.location=classpath:/former/";
        arguments[1] = "--test.server=" + server.host() + ":" + server.port();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return application.run(arguments);
    }

    @Test
    void theApplicationStartsAndCachesWithItsFormerProperties(CapturedOutput output) throws IOException {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConfigurableApplicationContext context = start(server)) {
            Shop shop = context.getBean(Shop.class);
            assertThat(context.getBean("cacheManager")).isInstanceOf(CacheManager.class);

            shop.titles("Austen");
            assertThat(shop.titles("Austen")).containsExactly("Emma", "Persuasion");
            assertThat(shop.calls()).isOne();
            shop.author(1);
            shop.author(1);
            assertThat(shop.calls()).isEqualTo(3);
            shop.changed();
            shop.titles("Austen");
            assertThat(shop.calls()).isEqualTo(4);
            for (String name : formerNames()) {
                assertThat(output).as(name).contains(name);
            }
            assertThat(output).contains("use memcached.servers=" + server.host());
        }
    }

    @Test
    void aClassOfTheApplicationNamesTheSettingItNeeds() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConfigurableApplicationContext context = start(server)) {
            Shop shop = context.getBean(Shop.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> shop.book(1))
                    .withMessageContainingAll(Book.class.getName(), "memcached.cache.serializer.allowed-classes");
        }
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConfigurableApplicationContext context = start(
                        server, "--memcached.cache.serializer.allowed-classes=" + Book.class.getPackageName() + ".*")) {
            Shop shop = context.getBean(Shop.class);
            shop.book(1);
            assertThat(shop.book(1)).isEqualTo(new Book("Emma"));
            assertThat(shop.calls()).isOne();
        }
    }

    private static List<String> formerNames() throws IOException {
        Properties properties = new Properties();
        try (InputStream file = FormerApplicationTest.class.getResourceAsStream("/former/application.properties")) {
            properties.load(file);
        }
        return properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith(FORMER))
                .toList();
    }
}
