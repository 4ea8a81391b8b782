// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

class MemcachedRuntimeHintsTest {

    private static RuntimeHints hints() {
        RuntimeHints hints = new RuntimeHints();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(registrar -> registrar instanceof MemcachedRuntimeHints)
                .forEach(registrar -> registrar.registerHints(hints, getClassLoader()));
        return hints;
    }

    private static ClassLoader getClassLoader() {
        return MemcachedRuntimeHintsTest.class.getClassLoader();
    }

    @Test
    void anImageHasTheVersionsOfNetty() {
        assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/io.netty.versions.properties"))
                .accepts(hints());
    }

    @Test
    void anImageFindsTheResolver() {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(TypeReference.of("io.netty.resolver.dns.DnsNameResolver")))
                .accepts(hints());
    }
}
