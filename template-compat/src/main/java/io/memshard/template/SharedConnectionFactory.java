// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.cluster.MemshardOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

final class SharedConnectionFactory extends EngineConnectionFactory {

    private final EngineConnections connections;
    private final MemcachedConnection[] handles;

    SharedConnectionFactory(Engine engine, Mode mode, MemshardOptions options, EngineConnections connections) {
        super(engine, mode, options);
        this.connections = connections;
        this.handles = new MemcachedConnection[connections.size()];
        for (int index = 0; index < handles.length; index++) {
            handles[index] = new Handle(this, index, connections, null);
        }
    }

    @Override
    public MemcachedConnection getConnection() {
        return handles[connections.choose()];
    }

    @Override
    public <T> T lend(Use<T> use) {
        return use.of(connections, connections.chooseForEach());
    }

    @Override
    CommandSender sender(Lender lender) {
        return lender.lend((lent, index) -> ((MemshardConnections) lent).sender(index));
    }

    @Override
    @Nullable
    ServerAddress addressOf(@Nullable String key) {
        return connections.addressOf(key);
    }

    @Override
    long callNanos(long timeoutNanos) {
        return connections.callNanos(timeoutNanos);
    }

    @Override
    public void awaitReady(Duration timeout) {
        connections.awaitReady(timeout);
    }

    @Override
    public void close(Duration drainTimeout) {
        connections.close(drainTimeout);
    }

    @Override
    public void close() {
        connections.close();
    }
}
