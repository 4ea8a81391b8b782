// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.client.TimeToLive;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnection;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedConnectionFactoryBuilder;
import io.memshard.template.MemcachedTemplate;
import io.memshard.template.Mode;

final class Templates {

    private static final Transcoder<byte[]> BYTES = Transcoder.bytes();

    private Templates() {}

    static Contender pooled(ContenderSettings settings) {
        return each(factory(settings, Engine.SPYMEMCACHED, Mode.POOLED, settings.poolSize()));
    }

    static Contender pooledMemshard(ContenderSettings settings) {
        return each(factory(settings, Engine.MEMSHARD, Mode.POOLED, settings.poolSize()));
    }

    static Contender sharded(ContenderSettings settings, ConnectionChooser chooser) {
        return each(factory(settings, Engine.SPYMEMCACHED, Mode.SHARDED, settings.connections())
                .chooser(chooser));
    }

    static Contender single(ContenderSettings settings) {
        MemcachedConnectionFactory factory =
                factory(settings, Engine.SPYMEMCACHED, Mode.SINGLE, 1).build();
        MemcachedConnection kept =
                new MemcachedTemplate<>(factory, BYTES).getConnectionFactory().getConnection();
        return new Contender(
                key -> kept.get(key, BYTES), (key, value) -> kept.set(key, value, TimeToLive.NEVER, BYTES), factory);
    }

    private static MemcachedConnectionFactoryBuilder factory(
            ContenderSettings settings, Engine engine, Mode mode, int size) {
        return MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .servers(settings.address())
                .connectionsPerServer(size)
                .requestTimeout(settings.timeout())
                .connectTimeout(ContenderSettings.TIMEOUT);
    }

    private static Contender each(MemcachedConnectionFactoryBuilder builder) {
        MemcachedConnectionFactory factory = builder.build();
        MemcachedTemplate<byte[]> template = new MemcachedTemplate<>(factory, BYTES);
        return new Contender(template::get, (key, value) -> template.set(key, value, TimeToLive.NEVER), factory);
    }
}
