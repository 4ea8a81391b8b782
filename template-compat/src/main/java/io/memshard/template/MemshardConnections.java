// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.MemshardOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class MemshardConnections implements EngineConnections {

    private final Cluster cluster;

    private final boolean owned;

    /** One client for each connection, and a last client that chooses a connection for each command. */
    private final List<MemcachedClient<EncodedValue>> clients;

    /** Timeout of {@link #checkAnswers}, whose command may first have to wait for the connection to open. */
    private final Duration openTimeout;

    MemshardConnections(MemshardOptions options) {
        this(new Cluster(options), options, true);
    }

    private MemshardConnections(Cluster cluster, MemshardOptions options, boolean owned) {
        this.cluster = cluster;
        this.owned = owned;
        openTimeout = Collections.max(List.of(options.connectTimeout, options.requestTimeout));
        clients = Stream.concat(cluster.each().stream(), Stream.of(cluster.any()))
                .map(sender -> options.client(sender, Transcoder.asStored(), cluster::addressOf, cluster::callNanos))
                .toList();
    }

    /** Returns the connections of {@code cluster}. Closing the returned object does not close these connections. */
    static MemshardConnections sharing(Cluster cluster) {
        return new MemshardConnections(cluster, cluster.options(), false);
    }

    @Override
    public int size() {
        return cluster.each().size();
    }

    @Override
    public @Nullable EncodedValue get(int index, String key) {
        return clients.get(index).get(key);
    }

    @Override
    public <V> void set(int index, String key, V value, Duration ttl, Transcoder<V> transcoder) {
        clients.get(index).withTranscoder(transcoder).set(key, value, ttl);
    }

    @Override
    public void checkAnswers() {
        // A second attempt goes to another server if the first server is down.
        clients.get(0)
                .withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE)
                .withTimeout(openTimeout)
                .version();
    }

    CommandSender sender(int index) {
        return cluster.each().get(index);
    }

    MemcachedClient<EncodedValue> client(int index) {
        return clients.get(index);
    }

    @Override
    public List<ServerHealth> health(int index, Duration timeout) {
        return Clients.health(cluster.byServer(), timeout);
    }

    @Override
    public int choose() {
        return cluster.choose();
    }

    @Override
    public int chooseForEach() {
        return size();
    }

    @Override
    public boolean isReady(int index) {
        return cluster.isReady(index);
    }

    @Override
    public void awaitReady(Duration timeout) {
        cluster.awaitReady(timeout);
    }

    @Override
    public void close(Duration drainTimeout) {
        if (owned) {
            cluster.close(drainTimeout);
        }
    }

    @Override
    public void close() {
        if (owned) {
            cluster.close();
        }
    }
}
