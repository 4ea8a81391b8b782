// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Server;
import io.memshard.spring.cache.MemcachedCacheManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.cache.Cache;

/** What {@link ClassLoaderIT} runs with classes of its own: each kind of call on each transport, then close. */
public final class UnloadedApplication implements Consumer<String[]> {

    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** Kept as an application keeps them: until its classes are unloaded. */
    private static final List<Object> KEPT = new ArrayList<>();

    private static String kind = "";

    /** Uses a server, and closes the clients: kind, address and certificate of the server's authority. */
    @Override
    public void accept(String[] use) {
        kind = use[0];
        for (Transport transport : kind.equals("tls") ? new Transport[] {Transport.AUTO} : Transport.values()) {
            Memshard memshard = builder(use, transport).build();
            KEPT.add(memshard);
            try (memshard) {
                use(memshard, "loaded." + kind + transport);
            }
        }
        for (Object each : KEPT) {
            if (each instanceof MemcachedCacheManager manager) {
                clearInVain(manager.getCache("books"));
                manager.close();
            }
        }
    }

    private static MemshardBuilder builder(String[] use, Transport transport) {
        MemshardBuilder builder = Memshard.builder()
                .servers(use[1])
                .connectionsPerServer(2)
                .transport(transport)
                .connectTimeout(TIMEOUT)
                .requestTimeout(TIMEOUT)
                .listener(new ConnectionListener() {});
        return switch (kind) {
            case "sticky" -> builder.chooser(ConnectionChooser.stickyRoundRobin());
            case "tls" -> builder.chooser(ConnectionChooser.roundRobin()).tls(TlsOptions.trusting(Path.of(use[2])));
            case "discovery" ->
                builder.chooser(ConnectionChooser.roundRobin())
                        .discovery(new Discovery(timeout -> Server.parseAll(use[1])));
            default -> builder.chooser(ConnectionChooser.roundRobin());
        };
    }

    private static void use(Memshard memshard, String key) {
        memshard.awaitReady(TIMEOUT);
        if (kind.equals("tls")) {
            memshard.client().get("a");
            memshard.asyncClient().get("a").join();
            return;
        }
        Transcoder<String> transcoder = Compression.gzip().around(Transcoder.utf8());
        MemcachedClient<String> client = memshard.client(transcoder);
        AsyncMemcachedClient<String> async = memshard.asyncClient(transcoder);
        client.set("a", "x".repeat(10_000), TTL);
        client.multiSet(Map.of("b", "1", "c", "2"), TTL).doneOrThrow();
        expect(client.get("a").length() == 10_000
                && client.multiGet(List.of("b", "c")).hits().size() == 2);
        expect("here".equals(client.getOrLoad(key + "1", TTL, missing -> "here")));
        CompletableFuture<String> slow = new CompletableFuture<>();
        List<CompletableFuture<String>> loads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            loads.add(async.getOrLoad(key, TTL, missing -> slow));
        }
        async.get("a").thenRun(() -> slow.complete("loaded")).join();
        loads.forEach(load -> expect("loaded".equals(load.join())));
        if (kind.equals("cache")) {
            MemcachedCacheManager manager = MemcachedCacheManager.create(memshard);
            KEPT.add(manager);
            use(manager.getCache("books"), key);
        }
        // Left in flight when the client is closed.
        async.get("a");
        async.getOrLoad(key + "2", TTL, missing -> new CompletableFuture<>());
        async.getOrLoad(key + "2", TTL, missing -> new CompletableFuture<>());
    }

    private static void use(Cache cache, String key) {
        expect("v".equals(cache.get(key, () -> "v")));
        expect("w"
                .equals(cache.retrieve(key + "w", () -> CompletableFuture.supplyAsync(() -> "w"))
                        .join()));
        cache.evict(key);
        cache.clear();
    }

    /** Fails, because the client is closed, and is remembered for another attempt. */
    private static void clearInVain(Cache cache) {
        cache.clear();
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new AssertionError("a wrong result");
        }
    }
}
