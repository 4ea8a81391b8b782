package io.memshard.template.memshard;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.Memshard;
import io.memshard.sharding.MemshardBuilder;
import io.memshard.template.engine.EngineConnections;
import io.memshard.template.engine.EngineSettings;
import java.util.List;

/**
 * The connections of a {@link Memshard}, each with its pinned client; opened when first used.
 *
 * <p>Threading: as its interface says; immutable.
 */
public final class MemshardConnections implements EngineConnections {

    private final Memshard memshard;
    private final List<MemcachedClient<EncodedValue>> clients;

    private MemshardConnections(Memshard memshard) {
        this.memshard = memshard;
        this.clients = memshard.pinnedClients().stream()
                .map(client -> client.withTranscoder(Transcoder.asStored()))
                .toList();
    }

    /** Connections with these settings; nothing is opened before the first command. */
    public static EngineConnections open(EngineSettings settings) {
        MemshardBuilder builder = Memshard.builder()
                .servers(settings.server().toString())
                .connectionsPerServer(settings.connections())
                .chooser(settings.chooser())
                .requestTimeout(settings.requestTimeout())
                .connectTimeout(settings.connectTimeout())
                .maxValueBytes(settings.maxValueBytes())
                .protocol(settings.protocol())
                .access(settings.access());
        if (settings.listener() != null) {
            builder.listener(settings.listener());
        }
        if (settings.connections() == 1) {
            builder.ioThreads(1); // as many as it can use, which counts in a pool of these
        }
        return new MemshardConnections(builder.build());
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
