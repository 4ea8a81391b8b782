package io.memshard.template;

import io.memshard.client.Clients;
import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.Memshard;
import io.memshard.sharding.MemshardOptions;
import java.util.List;

/**
 * The connections of a {@link Memshard}, each with its client; opened when first used.
 *
 * <p>Threading: as its interface says; immutable.
 */
final class MemshardConnections implements EngineConnections {

    private final Memshard memshard;
    private final List<MemcachedClient<EncodedValue>> clients;

    /** Connections with these options; nothing is opened before the first command. */
    MemshardConnections(MemshardOptions options) {
        this.memshard = new Memshard(options);
        this.clients = memshard.pinnedSenders().stream()
                .map(sender -> Clients.blocking(
                        sender, Transcoder.asStored(), options.connection().maxValueBytes(), options.requestTimeout()))
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
        return memshard.pinnedSenders().get(index);
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
