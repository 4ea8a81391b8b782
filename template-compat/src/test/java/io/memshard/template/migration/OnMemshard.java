// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.migration;

import io.memshard.Memshard;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** The application after: Memshard with the transcoder of spymemcached. */
final class OnMemshard implements Cache {

    private final Memshard memshard;
    private final MemcachedClient<Object> client;

    OnMemshard(InetSocketAddress server, String... serializedClasses) {
        memshard = Memshard.builder()
                .servers(server.getHostString() + ':' + server.getPort())
                .requestTimeout(Duration.ofSeconds(30))
                .build();
        client = memshard.client(
                CompatibleTranscoder.spymemcached().javaSerialization(JavaSerialization.allowing(serializedClasses)));
    }

    private static Duration seconds(int ttlSeconds) {
        return Duration.ofSeconds(ttlSeconds);
    }

    @Override
    public Object get(String key) {
        return client.get(key);
    }

    @Override
    public Versioned gets(String key) {
        CasValue<Object> found = client.gets(key);
        return found == null ? null : new Versioned(found.value(), found.casUnique());
    }

    @Override
    public Map<String, Object> getMany(Collection<String> keys) {
        return client.multiGet(keys).hitsOrThrow();
    }

    @Override
    public void set(String key, Object value, int ttlSeconds) {
        client.set(key, value, seconds(ttlSeconds));
    }

    @Override
    public boolean add(String key, Object value, int ttlSeconds) {
        return client.add(key, value, seconds(ttlSeconds));
    }

    @Override
    public boolean replace(String key, Object value, int ttlSeconds) {
        return client.replace(key, value, seconds(ttlSeconds));
    }

    @Override
    public boolean cas(String key, Object value, long casUnique, int ttlSeconds) {
        return client.cas(key, value, casUnique, seconds(ttlSeconds)) == CasResult.STORED;
    }

    @Override
    public boolean append(String key, String value) {
        return client.withTranscoder(Transcoder.utf8()).append(key, value);
    }

    @Override
    public boolean prepend(String key, String value) {
        return client.withTranscoder(Transcoder.utf8()).prepend(key, value);
    }

    @Override
    public long incr(String key, int delta) {
        return client.incr(key, delta).orElse(-1);
    }

    @Override
    public long decr(String key, int delta) {
        return client.decr(key, delta).orElse(-1);
    }

    @Override
    public boolean touch(String key, int ttlSeconds) {
        return client.touch(key, seconds(ttlSeconds));
    }

    @Override
    public boolean delete(String key) {
        return client.delete(key);
    }

    @Override
    public void close() {
        memshard.close();
    }
}
