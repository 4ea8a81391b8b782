// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.listener.ConnectionState;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many servers cost sockets and memory, and no threads. */
@Timeout(300)
class ManyServersScaleIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration HOUR = Duration.ofHours(1);

    private static final int SERVERS = 60;
    private static final int CONNECTIONS = 2;

    /** The threads that connect are as many as that at most, however many connections are opened at once. */
    private static final int MOST_CONNECTING = 64;

    private final List<EmbeddedMemcached> servers = new ArrayList<>();
    private final LeakCheck leaks = LeakCheck.start();

    @AfterEach
    void close() {
        servers.forEach(EmbeddedMemcached::close);
        leaks.assertNothingLeft();
    }

    private long threads(String prefix) {
        return leaks.threadsSince().stream()
                .filter(name -> name.startsWith(prefix))
                .count();
    }

    /** How many threads a client has with so many servers, after calls of every kind. */
    private long threadsWith(int count) throws Exception {
        while (servers.size() < count) {
            servers.add(EmbeddedMemcached.start());
        }
        List<Server> list = servers.subList(0, count).stream()
                .map(server -> Server.parse("127.0.0.1:" + server.port()))
                .toList();
        try (Memshard memshard =
                Fleet.patient().servers(list).connectionsPerServer(CONNECTIONS).build()) {
            CompletableFuture<Void> ready = CompletableFuture.runAsync(() -> memshard.awaitReady(LONG));
            while (!ready.isDone()) {
                assertThat(threads("memshard-connect")).isLessThanOrEqualTo(MOST_CONNECTING);
            }
            ready.get();
            useAll(memshard);
            assertThat(memshard.connectionStates()).hasSize(count * CONNECTIONS).containsOnly(ConnectionState.READY);
            // Some end when idle; on a busy machine there may be several that complete or stand by for callers.
            return threads("memshard")
                    - threads("memshard-connect")
                    - threads("memshard-complete")
                    - threads("memshard-standby");
        }
    }

    private static void useAll(Memshard memshard) {
        MemcachedClient<byte[]> client = memshard.client();
        AsyncMemcachedClient<byte[]> async = memshard.asyncClient();
        Map<String, byte[]> values = new HashMap<>();
        IntStream.range(0, 3_000).forEach(i -> values.put("key" + i, new byte[100]));
        client.multiSet(values, HOUR).doneOrThrow();
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).hasSize(values.size());
        assertThat(async.multiGet(values.keySet()).join().hitsOrThrow()).hasSize(values.size());
        values.keySet().forEach(key -> assertThat(client.get(key)).hasSize(100));
    }

    @Test
    void threadsDoNotGrowWithServers() throws Exception {
        long ofMany = threadsWith(SERVERS);
        assertThat(ofMany).isLessThan(threadsWith(2) + SERVERS / 20);
    }
}
