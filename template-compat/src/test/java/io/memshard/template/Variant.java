// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Engine, mode and protocol that the tests of a template run over. */
enum Variant {
    MEMSHARD_SHARDED(Engine.MEMSHARD, Mode.SHARDED, false),
    MEMSHARD_POOLED(Engine.MEMSHARD, Mode.POOLED, false),
    SPYMEMCACHED_POOLED(Engine.SPYMEMCACHED, Mode.POOLED, false),
    SPYMEMCACHED_BINARY(Engine.SPYMEMCACHED, Mode.SINGLE, true),
    DEEP_MEMSHARD_SINGLE(Engine.MEMSHARD, Mode.SINGLE, false),
    DEEP_SPYMEMCACHED_SHARDED(Engine.SPYMEMCACHED, Mode.SHARDED, false),
    DEEP_SPYMEMCACHED_SINGLE(Engine.SPYMEMCACHED, Mode.SINGLE, false);

    /** Pattern of the names of the variants that only run with the profile {@code deep}. */
    static final String DEEP = "DEEP_.*";

    private static final AtomicInteger NEXT_KEY = new AtomicInteger();

    final Engine engine;
    final Mode mode;
    final boolean binaryProtocol;

    Variant(Engine engine, Mode mode, boolean binaryProtocol) {
        this.engine = engine;
        this.mode = mode;
        this.binaryProtocol = binaryProtocol;
    }

    LeakCheck startLeakCheck() {
        return LeakCheck.start(engine == Engine.MEMSHARD ? "memshard" : "Memcached IO");
    }

    MemcachedConnectionFactory open(MemcachedServer server) {
        if (binaryProtocol && server instanceof EmbeddedMemcached) {
            throw Program.skip("a server with the binary protocol, install the package memcached");
        }
        return open(server.host(), server.port());
    }

    MemcachedConnectionFactory open(String host, int port) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .binaryProtocol(binaryProtocol)
                .servers(host + ':' + port)
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
        return (mode == Mode.SINGLE ? builder : builder.connectionsPerServer(2)).build();
    }

    static String newKey() {
        return "template" + ProcessHandle.current().pid() + '.' + NEXT_KEY.incrementAndGet();
    }
}
