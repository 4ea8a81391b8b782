package io.memshard.template.memshard;

import io.memshard.client.EncodedValue;
import io.memshard.client.MemcachedClient;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.Memshard;
import io.memshard.template.engine.AsStored;
import io.memshard.template.engine.EngineConnections;
import io.memshard.template.engine.EngineSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections of a {@link Memshard}, each with its pinned client; opened when first used.
 *
 * <p>The chooser is asked here and not in the {@code Memshard}, whose own chooser only walks the array
 * once, so that what is chosen is an index and not a client.
 *
 * <p>Threading: as its interface says; immutable.
 */
public final class MemshardConnections implements EngineConnections {

    private final Memshard memshard;
    private final ConnectionChooser chooser;
    private final ConnectionChooser.Candidates candidates;
    private final List<MemcachedClient<EncodedValue>> clients;

    private MemshardConnections(Memshard memshard, ConnectionChooser chooser, Walk walk) {
        this.memshard = memshard;
        this.chooser = chooser;
        List<MemcachedClient<EncodedValue>> pinned = new ArrayList<>();
        do {
            pinned.add(memshard.pinnedClient().withTranscoder(AsStored.INSTANCE));
        } while (walk.hasNext());
        this.clients = List.copyOf(pinned);
        this.candidates = walk.candidates();
    }

    /** Connections with these settings; nothing is opened before the first command. */
    public static EngineConnections open(EngineSettings settings) {
        Walk walk = new Walk();
        Memshard memshard = Memshard.builder()
                .servers(settings.server().toString())
                .connectionsPerServer(settings.connections())
                .chooser(walk)
                .requestTimeout(settings.requestTimeout())
                .connectTimeout(settings.connectTimeout())
                .maxValueBytes(settings.maxValueBytes())
                .build();
        return new MemshardConnections(memshard, settings.chooser(), walk);
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
        int chosen = chooser.choose(candidates);
        return chosen == ConnectionChooser.NONE ? 0 : chosen;
    }

    @Override
    public boolean isReady(int index) {
        return candidates.isReady(index);
    }

    @Override
    public void close() {
        memshard.close();
    }
}
