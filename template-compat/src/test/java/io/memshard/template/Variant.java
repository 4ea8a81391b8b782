// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Engine, mode and protocol that the tests of a template run over. */
enum Variant {
    MEMSHARD_SHARDED(Engine.MEMSHARD, Mode.SHARDED),
    MEMSHARD_POOLED(Engine.MEMSHARD, Mode.POOLED),
    SPYMEMCACHED_POOLED(Engine.SPYMEMCACHED, Mode.POOLED),
    MEMSHARD_SINGLE(Engine.MEMSHARD, Mode.SINGLE),
    SPYMEMCACHED_SHARDED(Engine.SPYMEMCACHED, Mode.SHARDED),
    SPYMEMCACHED_SINGLE(Engine.SPYMEMCACHED, Mode.SINGLE);

    private static final AtomicInteger NEXT_KEY = new AtomicInteger();

    final Engine engine;
    final Mode mode;

    Variant(Engine engine, Mode mode) {
        this.engine = engine;
        this.mode = mode;
    }

    LeakCheck startLeakCheck() {
        return LeakCheck.start(engine == Engine.MEMSHARD ? "memshard" : "Memcached IO");
    }

    MemcachedConnectionFactory open(MemcachedServer server) {
        return open(server.host(), server.port());
    }

    MemcachedConnectionFactory open(String host, int port) {
        return builder(host, port).build();
    }

    MemcachedConnectionFactoryBuilder builder(String host, int port) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .servers(host + ':' + port)
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
        return mode == Mode.SINGLE ? builder : builder.connectionsPerServer(2);
    }

    static String newKey() {
        return "template" + ProcessHandle.current().pid() + '.' + NEXT_KEY.incrementAndGet();
    }
}
