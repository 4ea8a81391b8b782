// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Hints for a native image about the caches. */
class HintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    HintsTest() {
        ClassLoader loader = HintsTest.class.getClassLoader();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories", loader)
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(registrar -> registrar.getClass().getName().startsWith("io.memshard"))
                .forEach(registrar -> registrar.registerHints(hints, loader));
    }

    @Test
    void theParametersOfAKeyCanBeRead() {
        Field parameters = CacheKeys.parameters();
        assertThat(parameters).isNotNull();
        assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(parameters))
                .accepts(hints);
    }

    @Test
    void dataOfTheJdkCanBeSerialized() {
        for (Class<?> type : List.of(UUID.class, ArrayList.class, Instant.class)) {
            assertThat(RuntimeHintsPredicates.reflection().onJavaSerialization(TypeReference.of(type), true))
                    .as(type.getName())
                    .accepts(hints);
        }
        assertThat(RuntimeHintsPredicates.reflection().onJavaSerialization(TypeReference.of("java.util.CollSer"), true))
                .accepts(hints);
    }

    @Test
    void everyTypeExists() {
        assertThat(CacheHints.serializedTypes())
                .hasSizeGreaterThan(40)
                .allSatisfy(name -> assertThat(Class.forName(name)).as(name).isNotNull());
    }
}
