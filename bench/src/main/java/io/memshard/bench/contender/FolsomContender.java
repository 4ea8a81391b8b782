// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import com.spotify.folsom.ConnectFuture;
import com.spotify.folsom.MemcacheClient;
import com.spotify.folsom.MemcacheClientBuilder;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Client folsom with the text protocol, round robin over the given number of connections.
 *
 * <p>Futures are completed on folsom's I/O threads. By default folsom passes each reply to the common pool, which
 * halves its throughput with many calls in flight. The time-out applies to the wait of the caller: a time-out set on
 * folsom's builder is deprecated, and closes the connection.
 */
final class FolsomContender implements Contender {

    private final MemcacheClient<byte[]> client;

    FolsomContender(ContenderSettings settings) throws Exception {
        MemcacheClientBuilder<byte[]> builder = MemcacheClientBuilder.newByteArrayClient();
        InetSocketAddress server = settings.server();
        builder.withAddress(server.getHostString(), server.getPort());
        client = builder.withConnections(settings.connections())
                .withReplyExecutor(Runnable::run)
                .connectAscii();
        ConnectFuture.fullyConnectedFuture(client)
                .toCompletableFuture()
                .get(ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public byte @Nullable [] get(String key) throws Exception {
        return client.get(key).toCompletableFuture().get(ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void set(String key, byte[] value) throws Exception {
        client.set(key, value, 0)
                .toCompletableFuture()
                .get(ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
