// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.annotation.AliasFor;

/**
 * Annotation for a test of the part of an application that uses memcached. The test's context has the clients,
 * templates and caches, the application's mapper of Jackson, and only those beans of the application that the test
 * imports.
 *
 * <p>The server comes from a {@code @ServiceConnection} or the properties. With {@code embedded = true}, the server
 * runs inside the test's JVM, which requires {@code memshard-testkit}. This server is empty at the start of each test
 * method.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = CachingConfiguration.class, webEnvironment = WebEnvironment.NONE)
@AutoConfigureMemcached
public @interface MemcachedTest {

    /** Returns properties of the test, as {@code key=value}. */
    @AliasFor(annotation = SpringBootTest.class, attribute = "properties")
    String[] properties() default {};

    /** Returns whether the test gets a separate memcached inside the test's JVM. */
    @AliasFor(annotation = AutoConfigureMemcached.class, attribute = "embedded")
    boolean embedded() default false;
}
