// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.spring.boot.cache.MemcachedCacheAutoConfiguration;
import io.memshard.spring.boot.health.MemcachedHealthAutoConfiguration;
import io.memshard.spring.boot.metrics.MemcachedMetricsAutoConfiguration;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.template.MemcachedConnectionFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every property reaches its setting, and every setting of docs/settings.md has a property. */
class PropertiesTest {

    private static final Path ROOT = Path.of("../..");

    /** Settings without a property, and why. */
    private static final Set<String> WITHOUT_PROPERTY = Set.of(
            "listener", // a bean
            "connectEagerly", // always
            // by a MemcachedCustomizer
            "chooser",
            "completionExecutor",
            "transport",
            "ioThreads",
            "reconnectDelay",
            "probeDelay",
            "failoverTtl",
            "livenessTimeout",
            "heartbeatInterval",
            "maxInFlight",
            "maxBytesInFlight",
            // by a MemcachedCacheConfiguration
            "claimTtl",
            "maxLoad",
            "recacheBelow",
            "servesStale",
            "maxWait",
            "failsAfterWait",
            // of a client that the application makes
            "chunkBytes",
            "maxBytes");

    /** Settings in separate records, whose properties have other names. */
    private static final Set<String> UNDER_OTHER_NAMES = Set.of(
            "tls", "credentials", "claimTtl", "maxLoad", "recacheBelow", "servesStale", "maxWait", "failsAfterWait");

    private static final ApplicationContextRunner RUNNER = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    MemcachedMetricsAutoConfiguration.class,
                    MemcachedAutoConfiguration.class,
                    MemcachedCacheAutoConfiguration.class,
                    CacheAutoConfiguration.class,
                    MemcachedHealthAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class)
            .withBean(ObservationRegistry.class, ObservationRegistry::create)
            .withPropertyValues("spring.cache.cache-names=books")
            .withUserConfiguration(Caching.class);

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}

    /** Properties, an expression over {@link Made}, and its value; a blank line begins another context. */
    private static final String ROWS = """
            memcached.connections-per-server=7 | options().connectionsPerServer | 7
            memcached.protocol=classic | options().protocol | CLASSIC
            memcached.request-timeout=123ms | options().requestTimeout | PT0.123S
            memcached.connect-timeout=3s | options().connectTimeout | PT3S
            memcached.max-value-bytes=2MB | options().maxValueBytes | 2097152
            memcached.key-prefix=app: | options().keyPrefix | app:
            memcached.hash-keys=true | options().hashKeys | true
            memcached.hide-keys=true | options().hideKeys | true
            memcached.servers=one:1,two:2 | options().shownServers() | one:1, two:2
            memcached.ring=jump | options().ring == T(io.memshard.sharding.ring.Ring).named('jump') | true
            memcached.failure-policy=treat-as-miss | options().failurePolicy | TREAT_AS_MISS
            memcached.server-down=miss | options().serverDown | MISS
            memcached.eject-after=9 | options().ejection.ejectAfter() | 9
            memcached.gutter=x:1,y:2 | options().gutter.size() | 2

            memcached.zones.own=eu-1;memcached.servers=one:1@eu-1,two:2@eu-2 | zones().own() | eu-1
            memcached.zones.owner=eu-2 | zones().owner() | eu-2
            memcached.zones.acknowledgement=majority | zones().acknowledgement() | MAJORITY

            memcached.username=ada;memcached.password=secret | options().credentials.get().user() | ada
            memcached.ssl.enabled=true | options().tls == system() | true

            memcached.ssl.bundle=mine;spring.ssl.bundle.jks.mine.options.enabled-protocols=TLSv1.3 | ofBundle() | true

            memcached.mode=single | factory().mode() | SINGLE

            memcached.engine=spymemcached;memcached.mode=pooled | factory().engine() | SPYMEMCACHED
            memcached.servers=$server;memcached.pool-wait-limit=2s | field(factory(), 'pool.waitLimit') | PT2S
            memcached.connections-per-server=1;memcached.request-timeout=30s | factory().mode() | POOLED

            memcached.serializer.type=string | transcoder().encode('text').flags() | 0
            memcached.compression.type=zlib;memcached.compression.threshold=500B | length(transcoder()) < 100 | true

            memcached.serializer.type=whalin | transcoder().encode(7).flags() != 0 | true

            memcached.serializer.json-type=$point | stored(transcoder(), point()) | {"x":1,"y":2}

            memcached.serializer.allowed-classes=$serial | stored(transcoder(), serial()).length() > 0 | true

            memcached.cache.transaction-aware=true | field(manager(), 'isTransactionAware') | true

            memcached.cache.time-to-live=5m | cache().ttlFunction().getTimeToLive('k', 'v') | PT5M
            memcached.cache.time-to-idle=true | cache().isTimeToIdleEnabled() | true
            memcached.cache.cache-null-values=false | cache().cachesNullValues() | false
            memcached.cache.key-prefix=app: | cache().keyPrefix().apply('books') | app:books::
            memcached.cache.propagate-failures=true | cache().propagatesFailures() | true
            memcached.cache.serializer.type=string | stored(cache().values(), 'a') | a
            memcached.cache.compression.type=gzip | length(cache().values()) < 100 | true
            memcached.cache.compression.threshold=500B | length(cache().values()) < 100 | true

            memcached.cache.serializer.json-type=$point | stored(cache().values(), point()) | {"x":1,"y":2}

            memcached.cache.serializer.allowed-classes=$serial | stored(cache().values(), serial()).length() > 0 | true
            memcached.cache.caches.books.time-to-live=3s | cache().ttlFunction().getTimeToLive('k', 'v') | PT3S
            memcached.cache.time-to-live=5m | manager().getCacheNames().size() | 1

            memcached.health.down-when=any | properties().health().downWhen() | ANY
            memcached.health.timeout=200ms | properties().health().timeout() | PT0.2S
            memcached.metrics.enabled=false | listeners() | none

            memcached.observation.enabled=true;memcached.metrics.enabled=false | listeners() | ObservationListener
            """.replace("$server", SharedServer.ADDRESS)
            .replace("$point", Point.class.getName())
            .replace("$serial", Serial.class.getName());

    record Row(List<String> properties, String expression, String value) {

        static Row of(String line) {
            String[] parts = line.split(" \\| ");
            return new Row(List.of(parts[0].split(";")), parts[1], parts[2]);
        }
    }

    static Stream<List<Row>> contexts() {
        return Stream.of(ROWS.split("\n\n"))
                .map(rows -> rows.lines().map(Row::of).toList());
    }

    public record Point(int x, int y) {}

    record Serial(int number) implements java.io.Serializable {}

    /** What properties have made, for expressions. */
    public record Made(AssertableApplicationContext context) {

        public MemshardOptions options() {
            return context.getBean(Memshard.class).unwrap(Cluster.class).options();
        }

        public Object zones() {
            return field(context.getBean(ZonedMemshard.class), "replicas.zones.options");
        }

        public TlsOptions system() {
            return TlsOptions.trustingSystem();
        }

        public boolean ofBundle() {
            return options().tls.context() != null;
        }

        public MemcachedConnectionFactory factory() {
            return context.getBean(MemcachedConnectionFactory.class);
        }

        @SuppressWarnings("unchecked")
        public Transcoder<Object> transcoder() {
            return context.getBean("memcachedTranscoder", Transcoder.class);
        }

        public Object point() {
            return new Point(1, 2);
        }

        public Object serial() {
            return new Serial(3);
        }

        /** Returns the value as it is stored, after it was read back. */
        public String stored(Transcoder<Object> transcoder, Object value) {
            EncodedValue encoded = transcoder.encode(value);
            assertThat(transcoder.decode(encoded.data(), encoded.flags())).isEqualTo(value);
            return new String(encoded.data(), StandardCharsets.UTF_8);
        }

        public int length(Transcoder<Object> transcoder) {
            return stored(transcoder, "a".repeat(1_000)).length();
        }

        public MemcachedCacheManager manager() {
            return context.getBean(MemcachedCacheManager.class);
        }

        public MemcachedCacheConfiguration cache() {
            return manager().getCacheConfigurations().get("books");
        }

        public MemcachedProperties properties() {
            return context.getBean(MemcachedProperties.class);
        }

        public String listeners() {
            Object listener = options().listener;
            return listener == null ? "none" : listener.getClass().getSimpleName();
        }

        public Object field(Object bean, String path) {
            return assertThat(bean).extracting(path).actual();
        }
    }

    @ParameterizedTest
    @MethodSource("contexts")
    void propertiesReachTheirSettings(List<Row> rows) {
        String[] properties =
                rows.stream().flatMap(row -> row.properties.stream()).toArray(String[]::new);
        RUNNER.withPropertyValues(properties).run(context -> {
            assertThat(context).hasNotFailed();
            for (Row row : rows) {
                Object value = new SpelExpressionParser()
                        .parseExpression(row.expression)
                        .getValue(new Made(context));
                assertThat(String.valueOf(value)).as("%s", row.properties).isEqualTo(row.value);
            }
        });
    }

    @Test
    void everyPropertyIsTested() throws IOException {
        Set<String> tested = contexts()
                .flatMap(List::stream)
                .flatMap(row -> row.properties.stream())
                .map(property -> property.substring(0, property.indexOf('=')))
                .map(name -> name.replaceFirst("^(memcached\\.cache\\.caches)\\..*", "$1"))
                .filter(name -> name.startsWith("memcached."))
                .collect(Collectors.toCollection(TreeSet::new));
        tested.addAll(DiscoveryTest.TESTED);
        tested.addAll(MemcachedAutoConfigurationTest.TESTED);

        Set<String> named = properties()
                .filter(property -> !property.has("deprecation"))
                .map(property -> property.get("name").asString())
                .filter(name -> name.startsWith("memcached."))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(tested).containsExactlyElementsOf(named);
    }

    @Test
    void theHintsOfTheRingAreItsNames() throws IOException {
        JsonNode hint = StreamSupport.stream(metadata().get("hints").spliterator(), false)
                .filter(each -> each.get("name").asString().equals("memcached.ring"))
                .findAny()
                .orElseThrow();
        assertThat(hint.get("values"))
                .extracting(value -> value.get("value").asString())
                .containsExactlyInAnyOrderElementsOf(Ring.names());
    }

    @Test
    void everySettingHasAProperty() throws IOException {
        Set<String> named = properties()
                .map(property -> property.get("name").asString())
                .map(name -> name.replaceFirst("^memcached\\.", "").replaceFirst("\\..*", ""))
                .collect(Collectors.toSet());
        Pattern row = Pattern.compile("^\\| `(\\w+)`[^|]*\\|.*");
        Set<String> missing = Files.readAllLines(ROOT.resolve("docs/settings.md")).stream()
                .map(row::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .filter(setting -> !WITHOUT_PROPERTY.contains(setting) && !UNDER_OTHER_NAMES.contains(setting))
                .filter(setting -> !named.contains(dashed(setting)))
                .collect(Collectors.toSet());
        assertThat(missing).isEmpty();
    }

    private static String dashed(String setting) {
        return Arrays.stream(setting.split("(?=[A-Z])"))
                .map(String::toLowerCase)
                .collect(Collectors.joining("-"));
    }

    private static Stream<JsonNode> properties() throws IOException {
        return StreamSupport.stream(metadata().get("properties").spliterator(), false);
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream in =
                Files.newInputStream(Path.of("target/classes/META-INF/spring-configuration-metadata.json"))) {
            return JsonMapper.shared().readTree(in);
        }
    }
}
