// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.operation.CasLoop;
import io.memshard.client.options.ConnectionOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous client of an engine that does not take Memshard's commands. Each call gets a connection and releases it
 * once the command is sent.
 *
 * <p>Threading: thread-safe, immutable.
 */
final class LentAsyncClient<V> extends AsyncCalls<V> {

    private final EngineConnectionFactory factory;
    private final EngineConnectionFactory.Use<AsyncMemcachedClient<V>> open;

    LentAsyncClient(EngineConnectionFactory factory, EngineConnectionFactory.Use<AsyncMemcachedClient<V>> open) {
        this.factory = factory;
        this.open = open;
    }

    @Override
    <T extends @Nullable Object> CompletableFuture<T> call(
            Function<AsyncMemcachedClient<V>, CompletableFuture<T>> command) {
        try {
            return factory.lend((connections, index) -> command.apply(open.of(connections, index)));
        } catch (MemcachedUnsupportedException e) {
            throw e;
        } catch (MemcachedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** {@inheritDoc} Each command of the update gets a separate connection. */
    @Override
    public CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return new CasLoop<V>(key, ttl, change, factory.hidesKeys()).start(this);
    }

    @Override
    <W> AsyncMemcachedClient<W> view(Function<AsyncMemcachedClient<V>, AsyncMemcachedClient<W>> other) {
        return new LentAsyncClient<>(factory, (connections, index) -> other.apply(open.of(connections, index)));
    }

    @Override
    public AsyncMemcachedClient<V> withTimeout(Duration timeout) {
        return super.withTimeout(ConnectionOptions.checkTimeout("timeout", timeout));
    }
}
