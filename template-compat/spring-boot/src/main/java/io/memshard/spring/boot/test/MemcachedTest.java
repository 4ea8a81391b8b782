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
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Annotation for a test of the part of an application that uses memcached. The test's context has the clients,
 * templates and caches, the application's mapper of Jackson, and only those beans of the application that are included.
 *
 * <p>The server comes from a {@code @ServiceConnection} or the properties. With {@code embedded = true}, the server
 * runs inside the test's JVM, which requires {@code memshard-testkit}. This server is empty at the start of each test
 * method.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BootstrapWith(MemcachedTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@AutoConfigureMemcached
@ImportAutoConfiguration
public @interface MemcachedTest {

    /** Returns properties of the test, as {@code key=value}. */
    String[] properties() default {};

    /** Returns whether the test gets a separate memcached inside its JVM. */
    @AliasFor(annotation = AutoConfigureMemcached.class, attribute = "embedded")
    boolean embedded() default false;

    /** Returns whether the application's own beans are left out. */
    boolean useDefaultFilters() default true;

    /** Returns the filters of beans to include nevertheless. */
    Filter[] includeFilters() default {};

    /** Returns the filters of beans to exclude. */
    Filter[] excludeFilters() default {};

    /** Returns the auto-configurations to exclude. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
