// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.client.contract.AsyncAsBlocking;
import io.memshard.client.contract.OperationContract;
import io.memshard.client.contract.ServerKind;
import io.memshard.client.contract.Subject;
import io.memshard.template.MemcachedTemplate;
import io.memshard.testkit.MemcachedServer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The contract over the template of an application that runs as long as the tests, on each kind of server. */
@ParameterizedClass
@MethodSource("subjects")
class ItemOperationsIT extends OperationContract {

    private static final Map<ServerKind, ConfigurableApplicationContext> APPLICATIONS = new EnumMap<>(ServerKind.class);

    private final ServerKind kind;
    private final boolean isAsync;
    private final ConfigurableApplicationContext application;

    ItemOperationsIT(ServerKind kind, boolean isAsync) {
        this.kind = kind;
        this.isAsync = isAsync;
        application = APPLICATIONS.computeIfAbsent(kind, ItemOperationsIT::start);
    }

    static Stream<Arguments> subjects() {
        return Stream.of(ServerKind.values())
                .flatMap(kind -> Stream.of(false, true)
                        .filter(isAsync -> !isAsync || kind == ServerKind.FOUND || Subject.RUNS_ALL)
                        .map(isAsync -> Arguments.of(kind, isAsync)));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(MemcachedAutoConfiguration.class)
    static class Application {}

    private static ConfigurableApplicationContext start(ServerKind kind) {
        MemcachedServer server = kind.server();
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "memcached.servers=" + server.host() + ':' + server.port(),
                        "memcached.await-ready=30s",
                        "memcached.request-timeout=30s",
                        "memcached.connect-timeout=30s")
                .run();
    }

    @Override
    protected Subject open() {
        @SuppressWarnings("unchecked")
        MemcachedTemplate<String> template = application.getBean("stringMemcachedTemplate", MemcachedTemplate.class);
        return new Subject(
                isAsync ? AsyncAsBlocking.of(template.async()) : template,
                kind.speech(),
                List.of(kind.itemServer()),
                () -> {});
    }
}
