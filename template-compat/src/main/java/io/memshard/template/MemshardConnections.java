package io.memshard.template;

import io.memshard.client.EncodedValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.Transcoder;
import io.memshard.sharding.Memshard;
import io.memshard.sharding.MemshardOptions;
import java.util.List;

/**
 * The connections of a {@link Memshard}, each with its pinned client; opened when first used.
 *
 * <p>Threading: as its interface says; immutable.
 */
final class MemshardConnections implements EngineConnections {

    private final Memshard memshard;
    private final List<MemcachedClient<EncodedValue>> clients;

    /** Connections with these options; nothing is opened before the first command. */
    MemshardConnections(MemshardOptions options) {
        this.memshard = new Memshard(options);
        this.clients = memshard.pinnedClients().stream()
                .map(client -> client.withTranscoder(Transcoder.asStored()))
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
    public int choose() {
        return memshard.chooseConnection();
    }

    @Override
    public boolean isReady(int index) {
        return memshard.isReady(index);
    }

    @Override
    public boolean reconnectsSoon() {
        return true;
    }

    @Override
    public void close() {
        memshard.close();
    }
}
