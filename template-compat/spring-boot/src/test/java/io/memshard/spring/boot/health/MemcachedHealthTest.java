// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedClients;
import io.memshard.testkit.EmbeddedMemcached;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class MemcachedHealthTest {

    private static final ApplicationContextRunner RUNNER = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(MemcachedAutoConfiguration.class, MemcachedHealthAutoConfiguration.class));

    @ParameterizedTest
    @CsvSource({
        "any, 0, UP", "all, 0, UP", "never, 0, UP",
        "any, 1, DOWN", "all, 1, UP", "never, 1, UP",
        "any, 2, DOWN", "all, 2, DOWN", "never, 2, UP"
    })
    @SuppressWarnings("try") // A server is closed before its time.
    void aDeadServerIsNamedAndThePropertySetsTheStatus(String downWhen, int dead, String status) {
        try (EmbeddedMemcached first = EmbeddedMemcached.start();
                EmbeddedMemcached second = EmbeddedMemcached.start()) {
            String firstAddress = first.host() + ':' + first.port();
            String secondAddress = second.host() + ':' + second.port();
            if (dead > 0) {
                second.close();
            }
            if (dead > 1) {
                first.close();
            }
            RUNNER.withPropertyValues(
                            "memcached.servers=" + firstAddress + ',' + secondAddress,
                            "memcached.health.timeout=30s",
                            "memcached.connect-timeout=30s",
                            "memcached.health.down-when=" + downWhen)
                    .run(context -> {
                        Health health = ((HealthIndicator) context.getBean("memcachedHealthContributor")).health();
                        assertThat(health.getStatus().getCode()).isEqualTo(status);
                        assertThat(health.getDetails()).containsEntry("down", dead);
                        assertThat(health.getDetails()).containsEntry("up", 2 - dead);
                        if (dead == 0) {
                            assertThat(health.getDetails()).containsOnlyKeys("up", "down");
                        } else {
                            Map<?, ?> servers = (Map<?, ?>) health.getDetails().get("servers");
                            assertThat(servers).hasSize(dead);
                            assertThat(servers.get(secondAddress)).asString().contains("reason=cannot connect");
                        }
                    });
        }
    }

    @Test
    void eachClientHasItsHealthUnderItsName() {
        RUNNER.withUserConfiguration(Sessions.class).run(context -> {
            CompositeHealthContributor health =
                    (CompositeHealthContributor) context.getBean("memcachedHealthContributor");
            assertThat(health.stream().map(entry -> entry.name())).containsExactlyInAnyOrder("memshard", "sessions");
        });
    }

    @Test
    void eachZoneHasItsHealth() {
        RUNNER.withPropertyValues("memcached.servers=a:1@x,b:2@y", "memcached.zones.own=x")
                .run(context -> assertThat(((CompositeHealthContributor) context.getBean("memcachedHealthContributor"))
                                .stream().map(entry -> entry.name()))
                        .containsExactlyInAnyOrder("zonedMemshard-x", "zonedMemshard-y"));
    }

    @Test
    void theIndicatorIsLeftOutIfDisabledOrReplaced() {
        RUNNER.withPropertyValues("management.health.memcached.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthContributor.class));
        RUNNER.withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthContributor.class));
        RUNNER.withBean(
                        "memcachedHealthContributor",
                        HealthIndicator.class,
                        () -> () -> Health.up().build())
                .run(context -> assertThat(context).hasSingleBean(HealthContributor.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Sessions {

        @Bean(defaultCandidate = false)
        Memshard sessions(MemcachedClients clients) {
            return clients.memshard("memcached-sessions");
        }
    }
}
