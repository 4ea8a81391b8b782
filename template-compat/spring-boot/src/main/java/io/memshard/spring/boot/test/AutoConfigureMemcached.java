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
 * Annotation that adds the clients, templates and caches of memcached to the context of a {@code @SpringBootTest}, even
 * if the test selects only some classes of the application. The server's address comes from the properties or from a
 * {@code @ServiceConnection}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface AutoConfigureMemcached {

    /**
     * Returns whether the test gets a separate memcached inside the test's JVM, which requires {@code
     * memshard-testkit}. The server is empty at the start of each test method.
     */
    boolean embedded() default false;
}
