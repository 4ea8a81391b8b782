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
import org.jspecify.annotations.Nullable;

/**
 * Template with an engine and a mode, called as in the article: {@code template.get(key)}, or {@code
 * template.getConnectionFactory().getConnection()} once and then {@code get(key, serializer)} on that connection from
 * every thread.
 */
final class TemplateContender implements Contender {

    private static final Transcoder<byte[]> BYTES = Transcoder.bytes();

    private final MemcachedTemplate<byte[]> template;

    /** Connection that is kept; null where each call gets a separate one. */
    private final @Nullable MemcachedConnection kept;

    private TemplateContender(
            ContenderSettings settings, Engine engine, Mode mode, int size, @Nullable ConnectionChooser chooser) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .servers(settings.address())
                .connectionsPerServer(size)
                .requestTimeout(ContenderSettings.TIMEOUT)
                .connectTimeout(ContenderSettings.TIMEOUT);
        if (chooser != null) {
            builder.chooser(chooser);
        }
        this.template = new MemcachedTemplate<>(builder.build(), BYTES);
        this.kept = mode == Mode.SINGLE ? template.getConnectionFactory().getConnection() : null;
    }

    static Contender pooled(ContenderSettings settings) {
        return new TemplateContender(settings, Engine.SPYMEMCACHED, Mode.POOLED, settings.poolSize(), null);
    }

    /** Opens the template over a pool of Memshard clients. */
    static Contender pooledMemshard(ContenderSettings settings) {
        return new TemplateContender(settings, Engine.MEMSHARD, Mode.POOLED, settings.poolSize(), null);
    }

    static Contender single(ContenderSettings settings) {
        return new TemplateContender(settings, Engine.SPYMEMCACHED, Mode.SINGLE, 1, null);
    }

    static Contender sharded(ContenderSettings settings, ConnectionChooser chooser) {
        return new TemplateContender(settings, Engine.SPYMEMCACHED, Mode.SHARDED, settings.connections(), chooser);
    }

    @Override
    public byte @Nullable [] get(String key) {
        return kept == null ? template.get(key) : kept.get(key, BYTES);
    }

    @Override
    public void set(String key, byte[] value) {
        if (kept == null) {
            template.set(key, value, TimeToLive.NEVER);
        } else {
            kept.set(key, value, TimeToLive.NEVER, BYTES);
        }
    }

    @Override
    public void close() {
        template.getConnectionFactory().close();
    }
}
