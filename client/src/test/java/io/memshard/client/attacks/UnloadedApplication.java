// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/** What {@link ClassLoaderIT} runs with classes of its own: each kind of call on each transport, then close. */
public final class UnloadedApplication implements IntConsumer {

    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.builder().connectTimeout(TIMEOUT).build();

    /** Uses the server at {@code port} of the loopback address, and closes what it has opened. */
    @Override
    public void accept(int port) {
        try (ConnectionGroup group = new ConnectionGroup(OPTIONS, 2)) {
            for (Transport transport : Transport.values()) {
                use(group.newConnection(new ServerAddress("127.0.0.1", port), 0, transport), "loaded." + transport);
            }
        }
    }

    private static void use(Connection connection, String key) {
        Transcoder<String> transcoder = Compression.gzip().around(Transcoder.utf8());
        MemcachedClient<String> client = Clients.blocking(connection, transcoder, 1 << 20, TIMEOUT);
        AsyncMemcachedClient<String> async = Clients.async(connection, transcoder, 1 << 20, TIMEOUT);
        client.set("a", "x".repeat(10_000), TTL);
        client.multiSet(Map.of("b", "1", "c", "2"), TTL).storedOrThrow();
        expect(client.get("a").length() == 10_000
                && client.multiGet(List.of("b", "c")).hits().size() == 2);
        CompletableFuture<String> slow = new CompletableFuture<>();
        List<CompletableFuture<String>> loads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            loads.add(async.getOrLoad(key, TTL, missing -> slow));
        }
        async.get("a").thenRun(() -> slow.complete("loaded")).join();
        loads.forEach(load -> expect("loaded".equals(load.join())));
        // Left in flight when the group is closed.
        async.get("a");
        async.getOrLoad(key + "2", TTL, missing -> new CompletableFuture<>());
        async.getOrLoad(key + "2", TTL, missing -> new CompletableFuture<>());
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new AssertionError("a wrong result");
        }
    }
}
