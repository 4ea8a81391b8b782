// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.MemshardMigration;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Caches of instances at neighbouring stages of a move: what one of them has cleared, none serves again. */
@Timeout(60)
@NeedsProgram(Program.MEMCACHED)
class ClearWhileMovingIT {

    private static final int CLEARS = 100;
    private static final int ENTRIES = 5;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<String> served = new ConcurrentLinkedQueue<>();

    /** Number of acknowledged removals of all entries. */
    private final AtomicInteger cleared = new AtomicInteger();

    private MemcachedProcess source;
    private MemcachedProcess target;
    private volatile boolean isOver;

    @BeforeEach
    void start() {
        source = MemcachedProcess.start();
        target = MemcachedProcess.start();
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdown();
        for (AutoCloseable each : opened) {
            each.close();
        }
        if (source != null) {
            source.close();
            target.close();
        }
    }

    private MemcachedCache cache(MigrationStage stage) {
        MemshardMigration move = MemshardMigration.of(
                Caches.memshard(source.address()),
                Caches.memshard(target.address()),
                MigrationOptions.DEFAULT.withStage(stage));
        opened.add(move);
        return Caches.books(
                MemcachedCacheManager.builder(move.client(Transcoder.bytes())),
                MemcachedCacheConfiguration.defaultCacheConfig().withPropagatedFailures(true));
    }

    @ParameterizedTest
    @CsvSource({"PREPARING, MOVING", "MOVING, LEAVING"})
    void noEntryIsServedAfterItWasCleared(MigrationStage stage, MigrationStage next) throws Exception {
        List<MemcachedCache> caches = List.of(cache(stage), cache(next));
        List<Future<@Nullable Void>> readers = new ArrayList<>();
        for (MemcachedCache cache : caches) {
            for (int i = 0; i < 2; i++) {
                readers.add(threads.submit(() -> read(cache)));
            }
        }
        while (cleared.get() < CLEARS) {
            int round = cleared.get();
            for (int entry = 0; entry < ENTRIES; entry++) {
                caches.get(entry % 2).put("entry" + entry, round);
            }
            caches.get(round / 3 % 2).clear();
            cleared.incrementAndGet();
            for (MemcachedCache cache : caches) {
                for (int entry = 0; entry < ENTRIES; entry++) {
                    check(cache, entry);
                }
            }
        }
        isOver = true;
        for (Future<@Nullable Void> reader : readers) {
            reader.get(60, TimeUnit.SECONDS);
        }
        assertThat(served).isEmpty();
    }

    private @Nullable Void read(MemcachedCache cache) {
        for (int i = 0; !isOver; i++) {
            check(cache, i % ENTRIES);
        }
        return null;
    }

    private void check(MemcachedCache cache, int entry) {
        int before = cleared.get();
        Integer round = cache.get("entry" + entry, Integer.class);
        if (round != null && round < before) {
            served.add("an entry of round " + round + " after " + before + " removals");
        }
    }
}
