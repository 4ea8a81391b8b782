// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedSerializer;
import io.memshard.template.MemcachedTemplate;
import io.memshard.template.Mode;
import org.jspecify.annotations.Nullable;

/** {@link MemcachedTemplate} over a pool of Memshard clients. */
final class MemshardTemplate implements Contender {

    private final MemcachedTemplate<byte[]> template;

    MemshardTemplate(ContenderSettings settings, int clients) {
        template = new MemcachedTemplate<>(
                MemcachedConnectionFactory.builder()
                        .engine(Engine.MEMSHARD)
                        .mode(Mode.POOLED)
                        .servers(MemshardGet.address(settings))
                        .connectionsPerServer(clients)
                        .requestTimeout(ContenderSettings.TIMEOUT)
                        .build(),
                MemcachedSerializer.bytes());
    }

    @Override
    public byte @Nullable [] get(String key) {
        return template.get(key);
    }

    @Override
    public void set(String key, byte[] value) {
        throw new UnsupportedOperationException("the experiment only reads");
    }

    @Override
    public void close() {
        template.getConnectionFactory().close();
    }
}
