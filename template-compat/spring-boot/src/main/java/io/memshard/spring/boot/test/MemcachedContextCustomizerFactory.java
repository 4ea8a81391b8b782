// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import io.memshard.spring.boot.MemcachedConnectionDetails;
import io.memshard.testkit.EmbeddedMemcached;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;

final class MemcachedContextCustomizerFactory implements ContextCustomizerFactory {

    /** Name of the server's bean. A class that reads this constant does not need the testkit on the class path. */
    static final String SERVER = "io.memshard.spring.boot.test.embeddedMemcached";

    private static final String TESTKIT = "io.memshard.testkit.EmbeddedMemcached";

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        AutoConfigureMemcached memcached =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureMemcached.class);
        if (memcached == null || !memcached.embedded()) {
            return null;
        }
        if (!ClassUtils.isPresent(TESTKIT, testClass.getClassLoader())) {
            throw new IllegalStateException(testClass.getName()
                    + " has embedded = true, which needs memshard-testkit: add this dependency in scope test");
        }
        return new Customizer();
    }

    /** Record, because Spring shares a context among tests only if their customizers are equal. */
    private record Customizer() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            ((BeanDefinitionRegistry) context.getBeanFactory())
                    .registerBeanDefinition(Server.class.getName(), new RootBeanDefinition(Server.class));
        }
    }

    /** Not a {@code @Configuration}, because every scan of this package would find it. */
    static class Server {

        @Bean(SERVER)
        EmbeddedMemcached embeddedMemcached() {
            return EmbeddedMemcached.start();
        }

        @Bean
        MemcachedConnectionDetails embeddedMemcachedConnectionDetails(EmbeddedMemcached server) {
            return () -> List.of(server.host() + ':' + server.port());
        }
    }
}
