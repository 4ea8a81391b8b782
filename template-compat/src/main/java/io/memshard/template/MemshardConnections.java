// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.MemshardOptions;
import io.memshard.sharding.ServerConnections;
import java.time.Duration;
import java.util.List;

/**
 * The connections to a server, each with its client; opened when first used or at once.
 *
 * <p>Threading: as its interface says; immutable.
 */
final class MemshardConnections implements EngineConnections {

    private final ServerConnections connections;
    private final List<MemcachedClient<EncodedValue>> clients;

    /** Connections with these options, opened by their first commands unless the options say at once. */
    MemshardConnections(MemshardOptions options) {
        connections = new ServerConnections(options);
        clients = connections.each().stream()
                .map(sender -> options.client(sender, Transcoder.asStored()))
                .toList();
    }

    @Override
    public int size() {
        return clients.size();
    }

    @Override
    public MemcachedClient<EncodedValue> connection(int index) {
        return clients.get(index);
    }

    @Override
    public CommandSender sender(int index) {
        return connections.each().get(index);
    }

    @Override
    public int choose() {
        return connections.choose();
    }

    @Override
    public boolean isReady(int index) {
        return connections.isReady(index);
    }

    @Override
    public boolean reconnectsSoon() {
        return true;
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
