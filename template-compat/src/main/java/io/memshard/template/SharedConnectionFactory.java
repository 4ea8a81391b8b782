// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.MemshardOptions;
import java.time.Duration;

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
    <V> MemcachedClient<V> memshardClient(Lender lender, Transcoder<V> transcoder) {
        return lender.lend((lent, index) -> ((MemshardConnections) lent).client(index))
                .withTranscoder(transcoder);
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
