// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Greeter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Output of a failed start, which says what to change. */
class FailureAnalyzersTest {

    private static final List<FailureAnalyzer> ANALYZERS = SpringFactoriesLoader.forDefaultResourceLocation()
            .load(FailureAnalyzer.class, SpringFactoriesLoader.ArgumentResolver.none(), (type, name, failure) -> {})
            .stream()
            .filter(analyzer -> analyzer.getClass().getPackage().equals(FailureAnalyzersTest.class.getPackage()))
            .toList();

    private static FailureAnalysis analysis(String... properties) {
        return analysis(Nothing.class, properties);
    }

    private static FailureAnalysis analysis(Class<?> configuration, String... properties) {
        FailureAnalysis[] found = new FailureAnalysis[1];
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(MemcachedAutoConfiguration.class))
                .withUserConfiguration(configuration)
                .withPropertyValues(properties)
                .run(context -> {
                    assertThat(context).hasFailed();
                    found[0] = analysis(context.getStartupFailure());
                });
        return found[0];
    }

    private static FailureAnalysis analysis(Throwable failure) {
        return ANALYZERS.stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(analysis -> analysis != null)
                .findFirst()
                .orElseThrow();
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}

    @Test
    void noServerIsReached() {
        FailureAnalysis analysis = analysis("memcached.servers=localhost:1", "memcached.await-ready=200ms");

        assertThat(analysis.getDescription()).contains("localhost:1");
        assertThat(analysis.getAction()).contains("Start memcached", "memcached.servers", "memcached.await-ready");
        assertThat(analysis.getDescription()).contains("The start waits for memcached");
    }

    @Test
    void aCallOfTheApplicationIsNamed() {
        FailureAnalysis ofBean = analysis(
                Callers.class,
                "memcached.servers=localhost:1",
                "memcached.request-timeout=30s",
                "memcached.connect-timeout=30s");

        assertThat(ofBean.getDescription())
                .contains("A call of memcached failed in com.example.Greeter.<init>(Greeter.java:")
                .contains("localhost:1");
        assertThat(ofBean.getAction()).contains("Start memcached").doesNotContain("await-ready");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Greeter.class)
    static class Callers {}

    @Test
    void aBadListOfServers() {
        FailureAnalysis analysis = analysis("memcached.servers=localhost:port");

        assertThat(analysis.getDescription()).contains("memcached.servers", "localhost:port");
        assertThat(analysis.getAction()).contains("Change memcached.servers");
    }

    @Test
    void aLibraryIsMissing() {
        FailureAnalysis analysis = analysis("memcached.compression.type=zstd");

        assertThat(analysis.getDescription()).contains("memcached.compression", "com.github.luben:zstd-jni");
        assertThat(analysis.getAction()).contains("Add the library");
    }
}
