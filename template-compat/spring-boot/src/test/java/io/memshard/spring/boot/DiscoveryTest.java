// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.discovery.ServerSource;
import io.memshard.sharding.ring.Server;
import io.memshard.spring.boot.cache.MemcachedCacheAutoConfiguration;
import io.memshard.testkit.Eventually;
import io.memshard.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The sources that the properties of discovery make, and what becomes of their servers. */
class DiscoveryTest {

    /** The properties that are tested here. */
    static final Set<String> TESTED = Set.of(
            "memcached.discovery.type",
            "memcached.discovery.file",
            "memcached.discovery.name",
            "memcached.discovery.endpoint",
            "memcached.discovery.period",
            "memcached.discovery.settle-time",
            "memcached.discovery.await");

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(MemcachedAutoConfiguration.class));

    private static Settings settings(Map<String, String> properties) {
        MemcachedProperties bound = new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("", Bindable.of(MemcachedProperties.class));
        return new Settings("memcached", bound, null, null);
    }

    @ParameterizedTest
    @CsvSource({
        "dns-addresses, name, cache.example.com:11212, 30s, DNS cache.example.com:11212",
        "dns-addresses, name, cache.example.com, 30s, DNS cache.example.com:11211",
        "dns-services, name, _memcached._tcp.example.com, 30s, _memcached._tcp.example.com",
        "configuration-endpoint, endpoint, cfg.example.com:11211, 60s, cfg.example.com:11211"
    })
    void propertiesMakeTheSource(String type, String property, String value, String period, String shown) {
        ServerSource source = settings(Map.of("discovery.type", type, "discovery." + property, value))
                .source(new ConnectionOptions());

        assertThat(source.toString()).contains(shown);
        assertThat(source.period()).isEqualTo(Duration.parse("PT" + period));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}

    /** Kubernetes sets these variables for each service of the namespace, in each container. */
    @ParameterizedTest
    @ValueSource(strings = {"memcached", "memcached-cache", "memcached-discovery", "memcached-ssl", "memcached-zones"})
    void variablesOfAServiceOfKubernetesAreNoProperties(String service) {
        String name = service.toUpperCase(Locale.ROOT).replace('-', '_');
        Map<String, Object> variables = Map.of(
                name + "_SERVICE_HOST", "10.0.0.1",
                name + "_SERVICE_PORT", "11211",
                name + "_SERVICE_PORT_MEMCACHED", "11211",
                name + "_PORT", "tcp://10.0.0.1:11211",
                name + "_PORT_11211_TCP", "tcp://10.0.0.1:11211",
                name + "_PORT_11211_TCP_PROTO", "tcp",
                name + "_PORT_11211_TCP_PORT", "11211",
                name + "_PORT_11211_TCP_ADDR", "10.0.0.1");

        runner.withConfiguration(AutoConfigurations.of(MemcachedCacheAutoConfiguration.class))
                .withUserConfiguration(Caching.class)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                new SystemEnvironmentPropertySource(
                                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables)))
                .withPropertyValues("memcached.servers=127.0.0.1:1")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void timesReachTheDiscovery() {
        Settings settings = settings(Map.of("discovery.period", "7s", "discovery.settle-time", "2s"));

        try (Discovery discovery = settings.discovery(timeout -> Server.parseAll("a"))) {
            assertThat(discovery)
                    .extracting("periodNanos", "damping.settleNanos")
                    .containsExactly(
                            Duration.ofSeconds(7).toNanos(),
                            Duration.ofSeconds(2).toNanos());
        }
    }

    @Test
    void theClientFollowsTheFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("servers.txt"), "one:11211\n");
        LeakCheck leaks = LeakCheck.start();

        runner.withPropertyValues(
                        "memcached.discovery.type=file",
                        "memcached.discovery.file=" + file,
                        "memcached.discovery.period=20ms",
                        "memcached.discovery.settle-time=0")
                .run(context -> {
                    Memshard memshard = context.getBean(Memshard.class);
                    assertThat(memshard.servers()).hasSize(1);

                    Files.writeString(directory.resolve("new"), "one:11211\ntwo:11211\n");
                    Files.move(directory.resolve("new"), file, StandardCopyOption.REPLACE_EXISTING);
                    Eventually.eventually(
                            "two servers", () -> memshard.servers().size() == 2);
                });

        leaks.assertNothingLeft();
    }

    @Test
    void aSourceOfTheApplicationIsUsed() {
        runner.withBean(ServerSource.class, () -> timeout -> Server.parseAll("mine:1"))
                .run(context ->
                        assertThat(context.getBean(Memshard.class).servers()).hasToString("[mine:1]"));
    }

    @Test
    void aSourceWithoutServersFailsTheStart() {
        runner.withPropertyValues(
                        "memcached.discovery.type=file",
                        "memcached.discovery.file=/nowhere/servers.txt",
                        "memcached.discovery.await=50ms")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("/nowhere/servers.txt")
                        .rootCause()
                        .hasMessage("the file does not exist: create the file, or set another path"));
    }

    @Test
    void aPropertyThatIsMissingIsNamed() {
        for (Map.Entry<String, String> missing : Map.of(
                        "dns-addresses", "name", "configuration-endpoint", "endpoint", "file", "file")
                .entrySet()) {
            runner.withPropertyValues("memcached.discovery.type=" + missing.getKey())
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(MemcachedPropertyException.class)
                            .hasMessageContaining("memcached.discovery." + missing.getValue() + " is not set"));
        }
        assertThat(List.of(DiscoveryType.values())).hasSize(5);
    }
}
