// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Adds the memcached beans to the context of a test, like {@link MemcachedTest}. With {@code @SpringBootTest}, where
 * they are there already, {@code embedded = true} gives them a memcached inside the test's JVM.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface AutoConfigureMemcached {

    /**
     * Returns whether the test gets a separate memcached inside its JVM, which requires {@code memshard-testkit}. Each
     * test method finds it empty.
     */
    boolean embedded() default false;
}
