// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers come and go in each copy of the data every few milliseconds: no key of many fails because of that. */
@Timeout(300)
class CopiesOfChangingFleetsIT {

    private static final int CHANGES = 60;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final List<String> KEYS =
            IntStream.range(0, 150).mapToObj(i -> "key" + i).toList();

    private final LeakCheck leaks = LeakCheck.start();
    private final Fleet fleet = Fleet.of(6);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<MemcachedException> failed = new ConcurrentLinkedQueue<>();
    private final LongAdder operations = new LongAdder();
    private volatile boolean isOver;

    @AfterEach
    void close() {
        threads.shutdown();
        fleet.close();
        leaks.assertNothingLeft();
    }

    private Memshard open(List<Server> servers) {
        return Fleet.patient().servers(servers).build();
    }

    private Map<Memshard, List<Server>> halves() {
        List<Server> first = fleet.servers().subList(0, 3);
        List<Server> second = fleet.servers().subList(3, 6);
        Map<Memshard, List<Server>> halves = new LinkedHashMap<>();
        halves.put(open(first), first);
        halves.put(open(second), second);
        return halves;
    }

    @Test
    void noKeyFailsOverZones() throws Exception {
        Map<Memshard, List<Server>> halves = halves();
        Map<String, Memshard> zones = new LinkedHashMap<>();
        halves.keySet().forEach(zone -> zones.put("zone-" + zones.size(), zone));
        try (ZonedMemshard zoned =
                ZonedMemshard.of(zones, ReplicaOptions.of("zone-0").readingOthersOnMiss())) {
            run(zoned.client(Transcoder.utf8()), zoned.asyncClient(Transcoder.utf8()), halves);
        }
    }

    @ParameterizedTest
    @EnumSource(MigrationStage.class)
    void noKeyFailsWhileFleetsAreMoved(MigrationStage stage) throws Exception {
        Map<Memshard, List<Server>> halves = halves();
        List<Memshard> both = List.copyOf(halves.keySet());
        try (MemshardMigration move =
                MemshardMigration.of(both.get(0), both.get(1), MigrationOptions.DEFAULT.withStage(stage))) {
            run(move.client(Transcoder.utf8()), move.asyncClient(Transcoder.utf8()), halves);
        }
    }

    private void run(
            MemcachedClient<String> client, AsyncMemcachedClient<String> async, Map<Memshard, List<Server>> halves)
            throws Exception {
        Map<String, String> values = KEYS.stream().collect(Collectors.toMap(key -> key, key -> "of " + key));
        List<Future<?>> callers = List.of(
                repeat(() -> client.multiSet(values, HOUR).failures().values()),
                repeat(() -> client.multiGet(KEYS).failures().values()),
                repeat(() -> client.multiDelete(KEYS).failures().values()),
                repeat(() -> async.multiSet(values, HOUR).join().failures().values()),
                repeat(() -> async.multiGet(KEYS).join().failures().values()));
        Random random = new Random(1);
        for (int change = 0; change < CHANGES || operations.sum() < CHANGES; change++) {
            halves.forEach((half, servers) -> {
                List<Server> some = new ArrayList<>(servers);
                Collections.shuffle(some, random);
                half.replace(some.subList(0, 1 + random.nextInt(servers.size())));
            });
            TimeUnit.MILLISECONDS.sleep(random.nextInt(5)); // Callers get on between two changes.
        }
        isOver = true;
        for (Future<?> caller : callers) {
            caller.get(100, TimeUnit.SECONDS);
        }
        assertThat(failed)
                .as("failures of keys in " + operations + " operations")
                .isEmpty();
    }

    private Future<?> repeat(Callable<Collection<MemcachedException>> operation) {
        return threads.submit((Callable<@Nullable Void>) () -> {
            while (!isOver) {
                failed.addAll(operation.call());
                operations.increment();
            }
            return null;
        });
    }
}
