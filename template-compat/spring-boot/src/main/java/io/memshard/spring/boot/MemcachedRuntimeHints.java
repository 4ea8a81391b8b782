// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

final class MemcachedRuntimeHints implements RuntimeHintsRegistrar {

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
