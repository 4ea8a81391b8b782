// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import io.memshard.template.Mode;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/** Beans of the auto-configuration, and their replacement by an application's own. */
class MemcachedAutoConfigurationTest {

    /** The properties that are tested here. */
    static final Set<String> TESTED = Set.of("memcached.await-ready");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(MemcachedAutoConfiguration.class))
            .withPropertyValues(
                    "memcached.servers=" + SharedServer.ADDRESS,
                    "memcached.request-timeout=30s",
                    "memcached.connect-timeout=30s");

    @Test
    void anApplicationHasAClientAFactoryAndTwoTemplates() {
        LeakCheck leaks = LeakCheck.start();
        runner.withUserConfiguration(Injected.class).run(context -> {
            assertThat(context).hasSingleBean(Memshard.class).hasSingleBean(MemcachedConnectionFactory.class);
            Injected injected = context.getBean(Injected.class);
            injected.strings.set("strings", "value", Duration.ofMinutes(1));
            injected.objects.set("objects", 42, Duration.ofMinutes(1));

            assertThat(injected.strings.get("strings")).isEqualTo("value");
            assertThat(injected.objects.get("objects")).isEqualTo(42);
        });
        leaks.assertNothingLeft();
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        final MemcachedTemplate<String> strings;
        final MemcachedTemplate<Object> objects;

        Injected(MemcachedTemplate<String> strings, MemcachedTemplate<Object> objects) {
            this.strings = strings;
            this.objects = objects;
        }
    }

    @Test
    void theServerOfATestIsLocalhostUnlessSet() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(MemcachedAutoConfiguration.class))
                .run(context -> assertThat(options(context).shownServers()).isEqualTo("localhost:11211"));
    }

    @Test
    void anApplicationWithoutServersDoesNotStart() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(MemcachedAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(SpringBootTest.class))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("memcached.servers is not set"));
    }

    @Test
    void theTemplateSharesTheConnectionsOfTheClient() {
        runner.withPropertyValues("memcached.connections-per-server=1").run(context -> {
            context.getBean("stringMemcachedTemplate", MemcachedTemplate.class).get("any");
            Memshard memshard = context.getBean(Memshard.class);
            assertThat(memshard.connectionStates()).hasToString("[READY]");
            assertThat(context.getBean(MemcachedConnectionFactory.class).mode()).isEqualTo(Mode.SINGLE);
        });
    }

    @Test
    void connectionsAreOpenedAtStartUnlessTheTemplateHasItsOwn() {
        runner.run(context -> assertThat(options(context).connectEagerly).isTrue());
        runner.withPropertyValues("memcached.mode=pooled")
                .run(context -> assertThat(options(context).connectEagerly).isFalse());
    }

    private static MemshardOptions options(ApplicationContext context) {
        return context.getBean(Memshard.class).unwrap(Cluster.class).options();
    }

    @Test
    void beansOfTheApplicationReplaceTheDefaults() {
        MemcachedConnectionDetails details = () -> List.of("details:1");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(MemcachedAutoConfiguration.class))
                .withBean(MemcachedConnectionDetails.class, () -> details)
                .run(context -> assertThat(options(context).shownServers()).isEqualTo("details:1"));

        Memshard mine = Memshard.builder().servers("mine:1").build();
        runner.withBean("mine", Memshard.class, () -> mine)
                .run(context -> assertThat(context).getBean(Memshard.class).isSameAs(mine));

        MemcachedConnectionFactory factory =
                MemcachedConnectionFactory.builder().servers("mine:1").build();
        runner.withBean("mine", MemcachedConnectionFactory.class, () -> factory)
                .run(context -> assertThat(context)
                        .getBean(MemcachedConnectionFactory.class)
                        .isSameAs(factory));

        runner.withUserConfiguration(OwnTemplates.class).run(context -> {
            assertThat(context.getBeansOfType(MemcachedTemplate.class)).hasSize(2);
            assertThat(context.getBean("memcachedTemplate", MemcachedTemplate.class))
                    .extracting("serializer")
                    .isEqualTo(Transcoder.bytes());
        });

        runner.withUserConfiguration(OwnTranscoder.class)
                .run(context -> assertThat(context.getBean("memcachedTemplate", MemcachedTemplate.class))
                        .extracting("serializer")
                        .isSameAs(OwnTranscoder.ANY));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTranscoder {

        @SuppressWarnings("unchecked")
        static final Transcoder<Object> ANY = (Transcoder<Object>) (Transcoder<?>) Transcoder.counter();

        @Bean
        Transcoder<Object> memcachedTranscoder() {
            return ANY;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTemplates {

        @Bean
        MemcachedTemplate<byte[]> memcachedTemplate(MemcachedConnectionFactory factory) {
            return new MemcachedTemplate<>(factory, Transcoder.bytes());
        }

        @Bean
        MemcachedTemplate<byte[]> stringMemcachedTemplate(MemcachedConnectionFactory factory) {
            return new MemcachedTemplate<>(factory, Transcoder.bytes());
        }
    }

    @Test
    void noBeanExistsWithoutTheClient() {
        runner.withClassLoader(new FilteredClassLoader(Memshard.class))
                .run(context -> assertThat(context).doesNotHaveBean(MemcachedClients.class));
    }

    @Test
    void modePooledHasSeparateConnections() {
        runner.withPropertyValues("memcached.mode=pooled", "memcached.connections-per-server=9")
                .run(context -> {
                    MemcachedConnectionFactory factory = context.getBean(MemcachedConnectionFactory.class);
                    assertThat(factory.mode()).isEqualTo(Mode.POOLED);
                    assertThat(factory.health(Duration.ofSeconds(30)).isUp()).isTrue();
                    assertThat(options(context).connectionsPerServer)
                            .as("the number is that of the pool")
                            .isNotEqualTo(9);
                });
    }

    @Test
    void zonesCreateAClientWithZonesAndNoFactory() {
        runner.withPropertyValues("memcached.servers=a:1@x,b:2@y", "memcached.zones.own=x")
                .run(context -> assertThat(context)
                        .hasSingleBean(ZonedMemshard.class)
                        .doesNotHaveBean(Memshard.class)
                        .doesNotHaveBean(MemcachedConnectionFactory.class));
        runner.withPropertyValues(
                        "memcached.servers=a:1@x,b:2@y",
                        "memcached.zones.own=x",
                        "memcached.discovery.type=file",
                        "memcached.discovery.file=f")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("memcached.discovery.type is FILE, but zones.own is set"));
    }

    @Test
    void customizersComeAfterTheProperties() {
        runner.withPropertyValues("memcached.request-timeout=1s")
                .withBean(
                        MemcachedCustomizer.class,
                        () -> (client, settings) ->
                                settings.requestTimeout(Duration.ofMinutes(2)).keyPrefix(client + ':'))
                .run(context -> {
                    assertThat(options(context).requestTimeout).isEqualTo(Duration.ofMinutes(2));
                    assertThat(options(context).keyPrefix).isEqualTo("memcached:");
                });
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void stagesRunOnVirtualThreadsIfTheApplicationEnablesThem() {
        runner.withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context ->
                        assertThat(options(context).completionExecutor).isInstanceOf(VirtualThreadTaskExecutor.class));
        runner.run(context -> assertThat(options(context).completionExecutor).isNull());
    }

    @Test
    void theStartWaitsForConnectionsIfConfigured() {
        runner.withPropertyValues("memcached.await-ready=30s")
                .run(context -> assertThat(context.getBean(Memshard.class).connectionStates())
                        .containsOnly(ConnectionState.READY));
        LeakCheck leaks = LeakCheck.start();
        runner.withPropertyValues("memcached.servers=localhost:1", "memcached.await-ready=100ms")
                .run(context -> assertThat(context).hasFailed());
        leaks.assertNothingLeft();
    }

    @Test
    void inconsistentPropertiesAreNamed() {
        assertRefused("memcached.servers: servers: ", "memcached.servers=a:b:c:d");
        assertRefused("memcached.ring: ring \"oval\" is unknown: write one of aws-ketama", "memcached.ring=oval");
        assertRefused("memcached.username is not set", "memcached.password=secret");
        assertRefused("memcached.password is not set", "memcached.username=ada");
        assertRefused("memcached.username: user is \"a b\"", "memcached.username=a b", "memcached.password=secret");
        assertRefused("memcached.pool-wait-limit is PT1S, but no pool exists", "memcached.pool-wait-limit=1s");
        assertRefused(
                "memcached.connections-per-server is 3 in mode single",
                "memcached.mode=single",
                "memcached.connections-per-server=3");
        assertRefused("memcached.ssl.bundle is \"mine\"", "memcached.ssl.bundle=mine");
        assertRefused(
                "memcached: serverDown is GUTTER, but gutter is empty: name spare servers",
                "memcached.server-down=gutter");
        assertRefused(
                "memcached: ring is set with engine SPYMEMCACHED",
                "memcached.engine=spymemcached",
                "memcached.ring=jump");
    }

    private void assertRefused(String message, String... properties) {
        runner.withPropertyValues(properties)
                .run(context -> assertThat(context.getStartupFailure())
                        .as("%s", List.of(properties))
                        .hasRootCauseInstanceOf(IllegalArgumentException.class)
                        .hasStackTraceContaining("MemcachedPropertyException: " + message));
    }

    @Test
    void thePasswordIsNotShown() {
        runner.withPropertyValues("memcached.username=ada", "memcached.password=secret")
                .run(context -> assertThat(context.getBean(MemcachedProperties.class))
                        .asString()
                        .contains("ada")
                        .doesNotContain("secret"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoClients {

        @Bean(defaultCandidate = false)
        @Qualifier("sessions")
        Memshard sessions(MemcachedClients clients) {
            return clients.memshard("memcached-sessions");
        }

        @Bean(defaultCandidate = false)
        @Qualifier("sessions")
        MemcachedConnectionFactory sessionsFactory(MemcachedClients clients, @Qualifier("sessions") Memshard sessions) {
            return clients.connectionFactory("memcached-sessions", sessions);
        }

        @Bean(defaultCandidate = false)
        @Qualifier("sessions")
        MemcachedTemplate<String> sessionsTemplate(@Qualifier("sessions") MemcachedConnectionFactory factory) {
            return new MemcachedTemplate<>(factory, Transcoder.utf8());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SessionsInjected {

        final Memshard memshard;
        final MemcachedTemplate<String> sessions;
        final MemcachedTemplate<String> strings;

        SessionsInjected(
                Memshard memshard,
                @Qualifier("sessions") MemcachedTemplate<String> sessions,
                MemcachedTemplate<String> strings) {
            this.memshard = memshard;
            this.sessions = sessions;
            this.strings = strings;
        }
    }

    @Test
    void anApplicationMayHaveSeveralClients() {
        runner.withUserConfiguration(TwoClients.class, SessionsInjected.class)
                .withPropertyValues(
                        "memcached.key-prefix=one:",
                        "memcached-sessions.servers=" + SharedServer.ADDRESS,
                        "memcached-sessions.key-prefix=two:",
                        "memcached-sessions.request-timeout=20s")
                .run(context -> {
                    SessionsInjected injected = context.getBean(SessionsInjected.class);
                    injected.strings.set("key", "first", Duration.ofMinutes(1));
                    injected.sessions.set("key", "second", Duration.ofMinutes(1));

                    assertThat(injected.strings.get("key")).isEqualTo("first");
                    assertThat(injected.sessions.get("key")).isEqualTo("second");
                    assertThat(injected.memshard.unwrap(Cluster.class).options().keyPrefix)
                            .isEqualTo("one:");
                    assertThat(context.getBean("sessions", Memshard.class)
                                    .unwrap(Cluster.class)
                                    .options()
                                    .requestTimeout)
                            .isEqualTo(Duration.ofSeconds(20));
                });
    }

    @Test
    void aMistakeInAnotherClientNamesItsProperty() {
        runner.withUserConfiguration(TwoClients.class)
                .withPropertyValues("memcached-sessions.ring=oval")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("memcached-sessions.ring: ring"));
    }
}
