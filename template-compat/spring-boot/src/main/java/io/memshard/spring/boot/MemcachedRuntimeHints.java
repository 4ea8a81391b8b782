// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image needs besides what Spring and Netty tell it: the versions of Netty, which the client checks, and
 * the classes that discovery by DNS looks for.
 *
 * <p>Called by Spring while an image is built. Values in Java serialization or JSON need hints of the application.
 */
final class MemcachedRuntimeHints implements RuntimeHintsRegistrar {

    /** What discovery by DNS looks for, to say what is missing. */
    private static final List<String> LOOKED_FOR =
            List.of("io.netty.resolver.dns.DnsNameResolver", "io.netty.handler.codec.dns.DnsQuestion");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/io.netty.versions.properties");
        for (String type : LOOKED_FOR) {
            hints.reflection().registerTypeIfPresent(classLoader, type);
        }
    }
}
