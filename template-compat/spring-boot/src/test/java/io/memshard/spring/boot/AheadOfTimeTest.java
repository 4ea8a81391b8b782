// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.spring.boot.cache.MemcachedCacheProperties;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Code that Spring generates from the auto-configurations before a native image is built. */
class AheadOfTimeTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCaching
    static class Application {}

    private final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
    private final DefaultGenerationContext generation =
            new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(Application.class)), files);

    AheadOfTimeTest() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Application.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }
    }

    @Test
    void beansAreCreatedByGeneratedCode() {
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(path -> path.endsWith("MemcachedAutoConfiguration__BeanDefinitions.java"))
                .anyMatch(path -> path.endsWith("MemcachedCacheAutoConfiguration__BeanDefinitions.java"))
                .anyMatch(path -> path.endsWith("MemcachedHealthAutoConfiguration__BeanDefinitions.java"));
    }

    @Test
    void everyPropertyCanBeBound() {
        RuntimeHints hints = generation.getRuntimeHints();
        List<Class<?>> bound = new ArrayList<>();
        Deque<Class<?>> open = new ArrayDeque<>(List.of(MemcachedProperties.class, MemcachedCacheProperties.class));
        while (!open.isEmpty()) {
            Class<?> type = open.pop();
            bound.add(type);
            open.addAll(List.of(type.getDeclaredClasses()));
        }
        assertThat(bound)
                .hasSizeGreaterThan(10)
                .allSatisfy(type -> assertThat(RuntimeHintsPredicates.reflection()
                                .onType(type)
                                .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
                                .or(RuntimeHintsPredicates.reflection()
                                        .onConstructorInvocation(type.getDeclaredConstructors()[0])))
                        .as(type.getName())
                        .accepts(hints));
    }
}
