// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.template.migration.MixedOperations.Order;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An application that changes its client while others still have the old one: pooled spymemcached and Memshard share a
 * memcached. Each reads what either wrote, as it was written last. {@code -Dmemshard.migration.operations=1000000} sets
 * how many operations.
 */
@MemcachedTest
class MigrationIT {

    private static final int OPERATIONS = Integer.getInteger("memshard.migration.operations", 3_000);
    private static final int THREADS = 4;

    private final InetSocketAddress server;
    private final String prefix = "migration" + ProcessHandle.current().pid() + ':';

    MigrationIT(MemcachedServer server) {
        this.server = server.address();
    }

    @Test
    @Timeout(1800)
    void bothApplicationsReadTheSameValues() throws Exception {
        LeakCheck leaksBefore = LeakCheck.start("Memcached IO");
        LeakCheck leaksAfter = LeakCheck.start("memshard");
        long start = System.nanoTime();
        try (Cache before = new PooledSpymemcached(server);
                Cache after = new OnMemshard(server, Order.CLASSES)) {
            MixedOperations.startShared(before, prefix);
            Map<String, Integer> counts = run(before, after);
            for (Cache application : List.of(before, after)) {
                assertThat(application.get(prefix + "incr"))
                        .isEqualTo(counts.get("incr of a shared number").toString());
                assertThat(application.get(prefix + "cas"))
                        .isEqualTo(counts.get("cas of a shared number").longValue());
            }
            System.out.printf("%,d operations in %.0f s: %s%n", OPERATIONS, (System.nanoTime() - start) / 1e9, counts);
        }
        leaksBefore.assertNothingLeft();
        leaksAfter.assertNothingLeft();
    }

    private Map<String, Integer> run(Cache before, Cache after) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Map<String, Integer>>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                MixedOperations operations = new MixedOperations(before, after, prefix, thread);
                running.add(threads.submit(() -> {
                    for (int i = 0; i < OPERATIONS / THREADS; i++) {
                        operations.next();
                    }
                    operations.readAllByBoth();
                    return operations.counts();
                }));
            }
            Map<String, Integer> counts = new TreeMap<>();
            for (Future<Map<String, Integer>> done : running) {
                done.get().forEach((kind, count) -> counts.merge(kind, count, Integer::sum));
            }
            return counts;
        } finally {
            threads.shutdownNow();
        }
    }
}
