// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.LeakCheck;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers come and go in each copy of the data every few milliseconds: no command fails because of that. */
@Timeout(300)
class CopiesOfChangingFleetsIT {

    private static final int CHANGES = 60;
    private static final int CALLERS = 5;

    private final LeakCheck leaks = LeakCheck.start();
    private final Fleet fleet = Fleet.of(6);

    @AfterEach
    void close() {
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
        CheckingCallers callers = new CheckingCallers(
                new CheckingCallers.Over(client, async, Object::new), CALLERS, failure -> false, true);
        callers.start();
        Random random = new Random(1);
        for (int change = 0; callers.wrong().isEmpty() && (change < CHANGES || callers.written() < CHANGES); change++) {
            halves.forEach((half, servers) -> {
                List<Server> some = new ArrayList<>(servers);
                Collections.shuffle(some, random);
                half.replace(some.subList(0, 1 + random.nextInt(servers.size())));
            });
            TimeUnit.MILLISECONDS.sleep(random.nextInt(5)); // Callers get on between two changes.
        }
        callers.end();
        assertThat(callers.wrong()).isEmpty();
    }
}
