// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.MemshardOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

abstract class EngineConnectionFactory implements MemcachedConnectionFactory, Lender {

    private final Engine engine;
    private final Mode mode;
    private final MemshardOptions options;

    EngineConnectionFactory(Engine engine, Mode mode, MemshardOptions options) {
        this.engine = engine;
        this.mode = mode;
        this.options = options;
    }

    @FunctionalInterface
    interface Use<T> {

        T of(EngineConnections connections, int index);
    }

    abstract CommandSender sender(Lender lender);

    boolean hasOneServer() {
        return options.servers.size() == 1;
    }

    /** Returns the server of {@code key}, or null if the answer needs a borrowed connection. */
    @Nullable
    ServerAddress addressOf(@Nullable String key) {
        return hasOneServer() ? options.servers.get(0).address() : null;
    }

    /** Returns {@code timeoutNanos}, plus the connect timeout while no shared connection is open yet. */
    long callNanos(long timeoutNanos) {
        return timeoutNanos;
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
                ? options.client(sender(lender), transcoder, this::addressOf, this::callNanos)
                : LentClient.over(lender, transcoder, hidesKeys());
    }

    final boolean hidesKeys() {
        return options.hideKeys;
    }

    final ServerDownPolicy check(ServerDownPolicy policy) {
        return options.check(policy);
    }

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
