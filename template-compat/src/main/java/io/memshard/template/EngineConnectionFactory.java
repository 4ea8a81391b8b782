// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.MemshardOptions;
import java.time.Duration;

abstract class EngineConnectionFactory implements MemcachedConnectionFactory, Lender {

    private final Engine engine;
    private final Mode mode;
    final MemshardOptions options;

    EngineConnectionFactory(Engine engine, Mode mode, MemshardOptions options) {
        this.engine = engine;
        this.mode = mode;
        this.options = options;
    }

    @FunctionalInterface
    interface Use<T> {

        T of(EngineConnections connections, int index);
    }

    @Override
    public final ServerHealth health(Duration timeout) {
        Timeouts.check("timeout", timeout);
        long startNanos = System.nanoTime();
        try {
            return ServerHealth.worst(lend((connections, index) -> connections.health(index, timeout)));
        } catch (MemcachedInterruptedException e) {
            throw e;
        } catch (MemcachedException e) {
            ServerAddress first = options.servers.get(0).address();
            return new ServerHealth(first, Duration.ofNanos(System.nanoTime() - startNanos), e);
        }
    }

    final <V> MemcachedClient<V> client(Lender lender, Transcoder<V> transcoder) {
        return engine == Engine.MEMSHARD
                ? memshardClient(lender, transcoder)
                : LentClient.over(lender, transcoder, options.hideKeys);
    }

    /** Returns whether each call of a client borrows or chooses its connection. */
    final boolean lends() {
        return mode == Mode.POOLED || engine == Engine.SPYMEMCACHED;
    }

    /** Returns a client of engine memshard. Its calls use the connections that {@code lender} lends. */
    abstract <V> MemcachedClient<V> memshardClient(Lender lender, Transcoder<V> transcoder);

    @Override
    public final Engine engine() {
        return engine;
    }

    @Override
    public final Mode mode() {
        return mode;
    }

    @Override
    public final String toString() {
        return options.shownServers();
    }
}
