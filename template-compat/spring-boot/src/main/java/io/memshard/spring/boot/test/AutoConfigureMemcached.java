// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/** Adds the beans of memcached to the context of a test, as {@link MemcachedTest} does. */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
@PropertyMapping("memcached.test")
public @interface AutoConfigureMemcached {

    /** Whether the test has a memcached of its own, inside its JVM. */
    boolean embedded() default false;
}
