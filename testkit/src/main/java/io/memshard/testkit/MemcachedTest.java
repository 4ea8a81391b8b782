package io.memshard.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test class that needs a memcached server, found by {@link ServerLadder} and shared by all
 * test classes of the JVM.
 *
 * <p>Constructors, tests and lifecycle methods may take a {@link MemcachedServer} or a
 * {@link java.net.InetSocketAddress}. Items of other tests may be on the server: use keys of your own.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MemcachedExtension.class)
public @interface MemcachedTest {}
