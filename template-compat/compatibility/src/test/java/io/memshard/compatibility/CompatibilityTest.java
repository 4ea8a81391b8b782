// SPDX-License-Identifier: Apache-2.0
package io.memshard.compatibility;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.metrics.MicrometerListener;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.Program;
import io.memshard.testkit.ServerChoice;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.bootstrap.Bootstrap;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Typical use of Memshard by an application, on the versions that its own build chose. */
@MemcachedTest(ServerChoice.EMBEDDED)
@Timeout(60)
class CompatibilityTest {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration BUSY = Duration.ofSeconds(30);
    private static final String JACKSON = System.getProperty("expected.jackson");
    private static final String JACKSON_2_MAPPER = "com.fasterxml.jackson.databind.ObjectMapper";
    private static final String JACKSON_3_MAPPER = "tools.jackson.databind.ObjectMapper";

    private static String address(MemcachedServer server) {
        return server.host() + ":" + server.port();
    }

    /** Returns a builder with time-outs for a busy machine, whose first connection takes long. */
    private static MemshardBuilder builder(String servers) {
        return Memshard.builder().servers(servers).requestTimeout(BUSY).connectTimeout(BUSY);
    }

    private static String jarOf(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getFileName()
                .toString();
    }

    @Test
    void versionsMatchTheProject() throws ClassNotFoundException {
        String netty = System.getProperty("expected.netty");
        assertThat(Version.identify().values())
                .filteredOn(version -> version.artifactId().matches("netty-(common|handler|transport.*)"))
                .isNotEmpty()
                .allMatch(version -> version.artifactVersion().equals(netty));
        assertThat(jarOf(Bootstrap.class)).contains(netty);
        assertThat(jarOf(ExtensionContext.class)).contains(System.getProperty("expected.junit"));
        assertThat(jarOf(PrometheusMeterRegistry.class)).contains(System.getProperty("expected.micrometer"));
        assertThat(jarOf(Bean.class)).contains(System.getProperty("expected.spring"));
        assertThat(jarOf(Class.forName(JACKSON.startsWith("3.") ? JACKSON_3_MAPPER : JACKSON_2_MAPPER)))
                .contains(JACKSON);
        assertThatThrownBy(() -> Class.forName(JACKSON.startsWith("3.") ? JACKSON_2_MAPPER : JACKSON_3_MAPPER))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @RepeatedTest(2)
    void serverHasNoItems(MemcachedServer server) {
        try (Memshard memshard = builder(address(server)).build()) {
            assertThat(memshard.client(Transcoder.utf8()).add("once", "value", TTL))
                    .isTrue();
        }
    }

    @Test
    void blockingAndAsynchronousCallersAreServed(MemcachedServer server) {
        try (Memshard memshard = builder(address(server)).build()) {
            useBoth(memshard);
        }
    }

    @Test
    void unixDomainSocketIsServed(@TempDir Path directory) {
        Program.MEMCACHED.need();
        Path socket = directory.resolve("memcached.sock");
        try (MemcachedProcess server = MemcachedProcess.startOnUnixSocket(socket);
                Memshard memshard = builder("unix:" + server.host())
                        .transport(Transport.EVENT_LOOP)
                        .build()) {
            useBoth(memshard);
        }
    }

    @Test
    void tlsIsServed(@TempDir Path directory) throws IOException {
        assumeTrue(hasTls(Program.MEMCACHED.need()), "the memcached on the PATH is built without TLS");
        CertificateAuthority authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued shown = authority.issue("localhost");
        try (MemcachedProcess server = MemcachedProcess.startTls(shown.certificates(), shown.key());
                Memshard memshard = builder("localhost:" + server.port())
                        .tls(TlsOptions.trusting(authority.certificate()))
                        .build()) {
            useBoth(memshard);
        }
    }

    private static boolean hasTls(Path memcached) throws IOException {
        Process help = new ProcessBuilder(memcached.toString(), "-h")
                .redirectErrorStream(true)
                .start();
        return new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains("--enable-ssl");
    }

    private static void useBoth(Memshard memshard) {
        MemcachedClient<String> blocking = memshard.client(Transcoder.utf8());
        AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
        blocking.set("greeting", "hello", TTL);
        assertThat(async.get("greeting").join()).isEqualTo("hello");
        async.set("greeting", "goodbye", TTL).join();
        assertThat(blocking.get("greeting")).isEqualTo("goodbye");
    }

    @Test
    void prometheusHasTheMeters(MemcachedServer server) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Memshard memshard = builder(address(server))
                .listener(new MicrometerListener(registry))
                .build()) {
            memshard.client(Transcoder.utf8()).get("absent");
            assertThat(registry.scrape()).contains("memshard_commands_seconds_count{operation=\"get\"");
            eventually("gauges", () -> registry.scrape().contains("memshard_connections{"));
        }
    }

    record Page(String title, int views) {}

    static class Pages {

        private final AtomicInteger calls = new AtomicInteger();

        @Cacheable("pages")
        public String page(String name, int number) {
            return name + number + " by call " + calls.incrementAndGet();
        }

        @Cacheable(cacheNames = "pages", sync = true)
        public String synchronizedPage(String name) {
            return name + " by call " + calls.incrementAndGet();
        }

        @Cacheable(cacheNames = "pages", sync = true)
        public CompletableFuture<String> laterPage(String name) {
            return CompletableFuture.completedFuture(name + " by call " + calls.incrementAndGet());
        }

        @CacheEvict(cacheNames = "pages", allEntries = true)
        public void allChanged() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {

        @Bean
        Memshard memshard() {
            return builder(System.getProperty("memcached")).build();
        }

        @Bean
        MemcachedCacheManager cacheManager(Memshard memshard) {
            return MemcachedCacheManager.create(memshard);
        }

        @Bean
        Pages pages() {
            return new Pages();
        }
    }

    @Test
    void springCachesAreServed(MemcachedServer server) {
        System.setProperty("memcached", address(server));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Caching.class)) {
            Pages pages = context.getBean(Pages.class);
            for (int i = 0; i < 2; i++) {
                assertThat(pages.page("one", 1)).isEqualTo("one1 by call 1");
                assertThat(pages.synchronizedPage("two")).isEqualTo("two by call 2");
                assertThat(pages.laterPage("three").join()).isEqualTo("three by call 3");
            }
            pages.allChanged();
            assertThat(pages.page("one", 1)).isEqualTo("one1 by call 4");
        }
    }

    /** Uses reflection, because each project can compile against only one of the two transcoders. */
    @Test
    @SuppressWarnings("unchecked")
    void templateStoresJsonOfTheProjectsJackson(MemcachedServer server) throws ReflectiveOperationException {
        Transcoder<Page> json =
                (Transcoder<Page>) Class.forName("io.memshard.client.json.Jackson" + JACKSON.charAt(0) + "Transcoder")
                        .getMethod("of", Class.class)
                        .invoke(null, Page.class);
        Page page = new Page("title", 1);
        try (Memshard memshard = builder(address(server)).build()) {
            MemcachedTemplate<Page> template = new MemcachedTemplate<>(MemcachedConnectionFactory.over(memshard), json);
            template.set("page", page, TTL);
            assertThat(template.get("page")).isEqualTo(page);
            assertThat(memshard.client(Transcoder.utf8()).get("page")).isEqualTo("{\"title\":\"title\",\"views\":1}");
        }
    }
}
