// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Marks a test of the part of an application that uses memcached. Its context has the clients, templates and caches. Of
 * the application's own beans it has only those that are included.
 *
 * <p>The server is that of a {@code @ServiceConnection}, or of the properties. With {@code embedded = true} it is one
 * inside the test's JVM, which needs {@code memshard-testkit}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BootstrapWith(MemcachedTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(MemcachedTypeExcludeFilter.class)
@AutoConfigureMemcached
@ImportAutoConfiguration
public @interface MemcachedTest {

    /** Properties of the test, as {@code key=value}. */
    String[] properties() default {};

    /** Whether the test has a memcached of its own, inside its JVM. */
    @AliasFor(annotation = AutoConfigureMemcached.class, attribute = "embedded")
    boolean embedded() default false;

    /** Whether the application's own beans are left out. */
    boolean useDefaultFilters() default true;

    /** Which of them the test has all the same. */
    Filter[] includeFilters() default {};

    /** Which beans the test does not have. */
    Filter[] excludeFilters() default {};

    /** Which auto-configurations the test does not have. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
