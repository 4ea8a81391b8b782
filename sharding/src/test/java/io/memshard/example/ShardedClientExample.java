// SPDX-License-Identifier: Apache-2.0
package io.memshard.example;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a program does with memshard: one object for the connections, any number of clients over them. */
final class ShardedClientExample {

    private ShardedClientExample() {}

    /** Stores, reads, counts and compares-and-sets; what it read. */
    static Map<String, String> run(String server) {
        try (Memshard memshard = Memshard.builder()
                .servers(server)
                .connectionsPerServer(2)
                .chooser(ConnectionChooser.stickyRoundRobin())
                .requestTimeout(Duration.ofSeconds(5))
                .build()) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.set("example:greeting", "hello", Duration.ofMinutes(5));
            cache.incr("example:visits", 1, 1, Duration.ofHours(1));

            CasValue<String> read = cache.gets("example:greeting");
            if (read != null
                    && cache.cas("example:greeting", "hello, world", read.casUnique(), Duration.ofMinutes(5))
                            != CasResult.STORED) {
                throw new IllegalStateException("somebody else was faster");
            }

            AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
            return async.multiGet(List.of("example:greeting", "example:nothing"))
                    .join()
                    .hitsOrThrow();
        }
    }
}
