// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.spring.boot.cache.MemcachedCacheAutoConfiguration;
import io.memshard.spring.boot.health.MemcachedHealthAutoConfiguration;
import io.memshard.spring.boot.health.MemcachedHealthIndicator;
import io.memshard.spring.boot.metrics.MemcachedMetricsAutoConfiguration;
import io.memshard.spring.boot.metrics.MemcachedObservationAutoConfiguration;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.spring.cache.PropagatedFailures;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.Mode;
import io.memshard.testkit.CertificateAuthority;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
            "transport",
            "ioThreads",
            "reconnectDelay",
            "probeDelay",
            "failoverTtl",
            "livenessTimeout",
            "heartbeatInterval",
            "maxInFlight",
            "maxBytesInFlight",
            "binaryProtocol",
            // by a MemcachedCacheConfiguration
            "claimTtl",
            "maxLoad",
            "recacheBelow",
            "servesStale",
            "maxWait",
            "failsAfterWait",
            // of a client that the application makes
            "chunkBytes",
            "maxBytes",
            "serverMaxItemBytes");

    /** Settings in separate records, whose properties have other names. */
    private static final Set<String> UNDER_OTHER_NAMES = Set.of(
            "tls", "credentials", "claimTtl", "maxLoad", "recacheBelow", "servesStale", "maxWait", "failsAfterWait");

    private static final CertificateAuthority CA = CertificateAuthority.create(temporaryDirectory(), "test");

    private static final CertificateAuthority.Issued ISSUED = CA.issue("localhost");

    private static final ApplicationContextRunner RUNNER = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    MemcachedMetricsAutoConfiguration.class,
                    MemcachedObservationAutoConfiguration.class,
                    MemcachedAutoConfiguration.class,
                    MemcachedCacheAutoConfiguration.class,
                    CacheAutoConfiguration.class,
                    MemcachedHealthAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class)
            .withBean(ObservationRegistry.class, ObservationRegistry::create)
            .withUserConfiguration(Caching.class);

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}

    /** Properties, what they make, and what that is to be. */
    record Row(List<String> properties, Function<AssertableApplicationContext, Object> actual, Object expected) {

        @Override
        public String toString() {
            return properties.toString();
        }
    }

    private static Row setting(Function<MemshardOptions, Object> actual, Object expected, String... properties) {
        return row(
                context -> actual.apply(
                        context.getBean(Memshard.class).unwrap(Cluster.class).options()),
                expected,
                properties);
    }

    private static Row row(
            Function<AssertableApplicationContext, Object> actual, Object expected, String... properties) {
        return new Row(List.of(properties), actual, expected);
    }

    private static Row cache(
            Function<MemcachedCacheConfiguration, Object> actual, Object expected, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("spring.cache.cache-names=books");
        return new Row(
                all,
                context -> actual.apply(context.getBean(MemcachedCacheManager.class)
                        .getCacheConfigurations()
                        .get("books")),
                expected);
    }

    private static Row access(Function<ConnectionOptions, Object> actual, Object expected, String... properties) {
        return setting(options -> actual.apply(options.connection()), expected, properties);
    }

    private static Object source(AssertableApplicationContext context) {
        MemcachedProperties properties = context.getBean(MemcachedClients.class).properties("memcached");
        Object source = new Sources("memcached.discovery", properties.discovery()).source(ConnectionOptions.DEFAULTS);
        return source == null ? "none" : source;
    }

    /** Takes properties that do not exclude each other, so that one context is enough. */
    private static Row together(Row... rows) {
        return new Row(
                Stream.of(rows).flatMap(each -> each.properties().stream()).toList(),
                context -> Stream.of(rows)
                        .map(each -> each.actual().apply(context))
                        .toList(),
                Stream.of(rows).map(Row::expected).toList());
    }

    static Stream<Row> rows() {
        return Stream.of(ofConnections(), ofServers(), ofAccess(), ofTemplate(), ofCaches(), ofOthers())
                .flatMap(Function.identity());
    }

    private static Stream<Row> ofConnections() {
        return Stream.of(together(
                setting(MemshardOptions::connectionsPerServer, 7, "memcached.connections-per-server=7"),
                setting(o -> o.connection().protocol(), Protocol.CLASSIC, "memcached.protocol=classic"),
                setting(MemshardOptions::requestTimeout, Duration.ofMillis(123), "memcached.request-timeout=123ms"),
                setting(o -> o.connection().connectTimeout(), Duration.ofSeconds(3), "memcached.connect-timeout=3s"),
                setting(o -> o.connection().maxValueBytes(), 2 << 20, "memcached.max-value-bytes=2MB"),
                setting(MemshardOptions::keyPrefix, "app:", "memcached.key-prefix=app:"),
                setting(MemshardOptions::hashesKeys, true, "memcached.hash-keys=true"),
                setting(o -> o.connection().hidesKeys(), true, "memcached.hide-keys=true")));
    }

    private static Stream<Row> ofServers() {
        return Stream.of(
                together(
                        setting(MemshardOptions::shownServers, "one:1, two:2", "memcached.servers=one:1,two:2"),
                        setting(MemshardOptions::ring, Ring.named("jump"), "memcached.ring=jump"),
                        setting(
                                MemshardOptions::failurePolicy,
                                FailurePolicy.TREAT_AS_MISS,
                                "memcached.failure-policy=treat-as-miss"),
                        setting(o -> o.failover().serverDown(), ServerDownPolicy.MISS, "memcached.server-down=miss"),
                        setting(o -> o.failover().ejection().ejectAfter(), 9, "memcached.eject-after=9"),
                        setting(o -> o.failover().gutter().size(), 2, "memcached.gutter=x:1,y:2"),
                        row(PropertiesTest::source, "none", "memcached.discovery.type=none")),
                row(
                        context -> context.getBean(Memshard.class)
                                .topology()
                                .servers()
                                .get(0)
                                .address()
                                .port(),
                        12345,
                        "memcached.discovery.type=file",
                        "memcached.discovery.file=" + serversFile()),
                together(
                        zoned(ReplicaOptions::own, "eu-1", "memcached.zones.own=eu-1"),
                        zoned(ReplicaOptions::owner, "eu-2", "memcached.zones.owner=eu-2"),
                        zoned(
                                ReplicaOptions::acknowledgement,
                                Acknowledgement.MAJORITY,
                                "memcached.zones.acknowledgement=majority")));
    }

    private static Row zoned(Function<ReplicaOptions, Object> actual, Object expected, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("memcached.servers=one:1@eu-1,two:2@eu-2");
        if (!all.contains("memcached.zones.own=eu-1")) {
            all.add("memcached.zones.own=eu-1");
        }
        return new Row(
                all,
                context -> assertThat(context.getBean(ZonedMemshard.class))
                                        .extracting("replicas.zones.options")
                                        .actual()
                                instanceof ReplicaOptions options
                        ? actual.apply(options)
                        : "no options",
                expected);
    }

    private static Path temporaryDirectory() {
        try {
            Path own = Files.createDirectories(Path.of("target/test-files")); // of this module alone
            return Files.createTempDirectory(own, "properties").toAbsolutePath();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Path serversFile() {
        try {
            return Files.writeString(temporaryDirectory().resolve("servers.txt"), "one:12345\n");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Row> ofAccess() {
        return Stream.of(
                together(access(
                        access -> access.credentials().get().user(),
                        "ada",
                        "memcached.username=ada",
                        "memcached.password=secret")),
                access(ConnectionOptions::tls, TlsOptions.trustingSystem(), "memcached.ssl.enabled=true"),
                access(
                        ConnectionOptions::tls,
                        TlsOptions.trusting(CA.certificate()),
                        "memcached.ssl.trusted-certificates=" + CA.certificate()),
                access(
                        ConnectionOptions::tls,
                        TlsOptions.trustingSystem().withClientCertificate(ISSUED.certificates(), ISSUED.key()),
                        "memcached.ssl.client-certificate=" + ISSUED.certificates(),
                        "memcached.ssl.client-key=" + ISSUED.key()),
                access(
                        ConnectionOptions::tls,
                        TlsOptions.trustingSystem().withServerName("cache.example.com"),
                        "memcached.ssl.server-name=cache.example.com"),
                access(
                        ConnectionOptions::tls,
                        TlsOptions.trustingSystem().dangerouslyAcceptingAnyHostname(),
                        "memcached.ssl.enabled=true",
                        "memcached.ssl.verify-hostname=false"),
                access(
                        access -> access.tls().context() != null,
                        true,
                        "memcached.ssl.bundle=mine",
                        "spring.ssl.bundle.jks.mine.options.enabled-protocols=TLSv1.3"));
    }

    private static Stream<Row> ofTemplate() {
        return Stream.of(
                factory(MemcachedConnectionFactory::mode, Mode.SINGLE, "memcached.mode=single"),
                factory(
                        MemcachedConnectionFactory::engine,
                        Engine.SPYMEMCACHED,
                        "memcached.engine=spymemcached",
                        "memcached.mode=pooled",
                        "memcached.servers=" + SharedServer.ADDRESS,
                        "memcached.connections-per-server=1",
                        "memcached.pool-wait-limit=2s"),
                row(
                        context -> assertThat(context.getBean(MemcachedConnectionFactory.class))
                                .extracting("pool.waitLimit")
                                .actual()
                                .toString(),
                        "PT2S",
                        "memcached.mode=pooled",
                        "memcached.servers=" + SharedServer.ADDRESS,
                        "memcached.connections-per-server=1",
                        "memcached.pool-wait-limit=2s"),
                transcoder(t -> t.encode("text").flags(), 0, "memcached.serializer.type=string"),
                transcoder(t -> t.encode(7).flags() != 0, true, "memcached.serializer.type=whalin"),
                transcoder(
                        t -> new String(t.encode(new Point(1, 2)).data()),
                        "{\"x\":1,\"y\":2}",
                        "memcached.serializer.json-type=" + Point.class.getName()),
                transcoder(
                        t -> t.decode(
                                t.encode(new Serial(3)).data(),
                                t.encode(new Serial(3)).flags()),
                        new Serial(3),
                        "memcached.serializer.allowed-classes=" + Serial.class.getName()),
                transcoder(
                        t -> t.encode("a".repeat(1_000)).data().length < 100,
                        true,
                        "memcached.serializer.type=string",
                        "memcached.compression.type=zlib",
                        "memcached.compression.threshold=500B"));
    }

    record Point(int x, int y) {}

    record Serial(int number) implements java.io.Serializable {}

    private static Row factory(
            Function<MemcachedConnectionFactory, Object> actual, Object expected, String... properties) {
        return row(context -> actual.apply(context.getBean(MemcachedConnectionFactory.class)), expected, properties);
    }

    @SuppressWarnings("unchecked")
    private static Row transcoder(Function<Transcoder<Object>, Object> actual, Object expected, String... properties) {
        return row(
                context -> actual.apply(context.getBean("memcachedTranscoder", Transcoder.class)),
                expected,
                properties);
    }

    private static Stream<Row> ofCaches() {
        return Stream.of(
                manager(
                        manager -> assertThat(manager)
                                .extracting("isTransactionAware")
                                .actual(),
                        true,
                        "memcached.cache.transaction-aware=true"),
                together(
                        manager(
                                manager -> assertThat(manager)
                                        .extracting("hasStatistics")
                                        .actual(),
                                true,
                                "memcached.cache.enable-statistics=true"),
                        cache(
                                c -> c.ttlFunction().getTimeToLive("k", "v"),
                                Duration.ofMinutes(5),
                                "memcached.cache.time-to-live=5m"),
                        cache(
                                MemcachedCacheConfiguration::isTimeToIdleEnabled,
                                true,
                                "memcached.cache.time-to-idle=true"),
                        cache(
                                MemcachedCacheConfiguration::cachesNullValues,
                                false,
                                "memcached.cache.cache-null-values=false"),
                        cache(c -> c.keyPrefix().apply("books"), "app:books::", "memcached.cache.key-prefix=app:"),
                        cache(
                                MemcachedCacheConfiguration::propagatedFailures,
                                PropagatedFailures.WRITES,
                                "memcached.cache.propagate-failures=writes")),
                cache(c -> new String(c.values().encode("a").data()), "a", "memcached.cache.serializer.type=string"),
                cache(
                        c -> new String(c.values().encode(new Point(1, 2)).data()),
                        "{\"x\":1,\"y\":2}",
                        "memcached.cache.serializer.json-type=" + Point.class.getName()),
                cache(
                        c -> c.values().encode(new Serial(1)).data().length > 0,
                        true,
                        "memcached.cache.serializer.allowed-classes=" + Serial.class.getName()),
                cache(
                        c -> c.values().encode("a".repeat(1_000)).data().length < 100,
                        true,
                        "memcached.cache.compression.type=gzip",
                        "memcached.cache.compression.threshold=500B"),
                cache(
                        c -> c.ttlFunction().getTimeToLive("k", "v"),
                        Duration.ofSeconds(3),
                        "memcached.cache.caches.books.time-to-live=3s",
                        "memcached.cache.time-to-live=5m"));
    }

    private static Row manager(Function<MemcachedCacheManager, Object> actual, Object expected, String property) {
        return row(context -> actual.apply(context.getBean(MemcachedCacheManager.class)), expected, property);
    }

    private static Stream<Row> ofOthers() {
        return Stream.of(
                row(
                        context -> assertThat(context.getBean(MemcachedHealthIndicator.class))
                                .extracting("downWhen")
                                .actual(),
                        DownWhen.ANY,
                        "memcached.health.down-when=any"),
                row(
                        context -> assertThat(context.getBean(MemcachedHealthIndicator.class))
                                .extracting("timeout")
                                .actual(),
                        Duration.ofMillis(200),
                        "memcached.health.timeout=200ms"),
                row(PropertiesTest::listeners, "none", "memcached.metrics.enabled=false"),
                row(
                        PropertiesTest::listeners,
                        "ObservationListener",
                        "memcached.observation.enabled=true",
                        "memcached.metrics.enabled=false"));
    }

    private static Object listeners(AssertableApplicationContext context) {
        Object listener =
                context.getBean(Memshard.class).unwrap(Cluster.class).options().listener();
        return listener == null ? "none" : listener.getClass().getSimpleName();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPropertyReachesItsSetting(Row row) {
        RUNNER.withPropertyValues(row.properties().toArray(String[]::new)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(row.actual().apply(context)).isEqualTo(row.expected());
        });
    }

    @Test
    void everyPropertyIsTested() throws IOException {
        Set<String> tested = rows().flatMap(row -> row.properties().stream())
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
    void everyPropertyHasADescription() throws IOException {
        assertThat(properties())
                .allSatisfy(property -> assertThat(property.path("description").asString(""))
                        .as(property.get("name").asString())
                        .isNotBlank());
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
