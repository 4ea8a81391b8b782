// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints that a native image needs in addition to those of Spring and Netty. The hints register the file with
 * Netty's versions, which the client reads, and the classes that discovery by DNS looks up. The application must
 * register the hints for its values in Java serialization or JSON.
 */
final class MemcachedRuntimeHints implements RuntimeHintsRegistrar {

    /** Classes that discovery by DNS looks up to report which library is missing. */
    private static final List<String> LOOKED_UP =
            List.of("io.netty.resolver.dns.DnsNameResolver", "io.netty.handler.codec.dns.DnsQuestion");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/io.netty.versions.properties");
        for (String type : LOOKED_UP) {
            hints.reflection().registerTypeIfPresent(classLoader, type);
        }
    }
}
