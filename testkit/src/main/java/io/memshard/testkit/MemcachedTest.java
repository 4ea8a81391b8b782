// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marker of a test class that needs a memcached server. By default {@link ServerLadder} finds the server, which all
 * test classes of the JVM share. A class with this annotation has the tag {@code installed}, because its results depend
 * on the programs that are installed on the machine.
 *
 * <p>Constructors, tests and lifecycle methods may take a {@link MemcachedServer} or a {@link
 * java.net.InetSocketAddress}.
 *
 * <p>Before each test, {@code flush_all} removes all items, including items that a {@code @BeforeAll} method stored. A
 * server whose address is given keeps its items, because other programs may use the server. Tests against this server
 * must use unique keys. Classes that run in parallel in one JVM need {@link ServerChoice#EMBEDDED}, because on a shared
 * server, one class would remove the items of another class.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("installed")
@ExtendWith(MemcachedExtension.class)
public @interface MemcachedTest {

    ServerChoice value() default ServerChoice.AUTO;
}
