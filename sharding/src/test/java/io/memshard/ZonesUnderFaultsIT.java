// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two instances, one in each of two zones, over four memcacheds with TLS. Each instance loses connections of its own,
 * so that the two disagree about which servers are there; servers are stopped too. Whatever was acknowledged by one
 * instance is what both read at any time, and what each zone has at the end.
 *
 * <p>Each key has one writer at a time. A key whose write has failed is used no more, because that write may come late.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@NeedsProgram(Program.MEMCACHED)
class ZonesUnderFaultsIT extends InstancesUnderFaults {

    private static final List<String> ZONES = List.of("a", "b");
    private static final int WRITERS = 4;
    private static final int KEYS = 64;
    private static final int LEAST_WRITES = 300;
    private static final int LEAST_FAULTS = 10;

    private final List<Instance> instances = new ArrayList<>();
    private final List<SoakKey> keys = SoakKey.of(KEYS);

    /** An instance of the application. */
    private record Instance(ZonedMemshard zoned, MemcachedClient<String> blocking, AsyncMemcachedClient<String> async) {

        static Instance of(ZonedMemshard zoned) {
            return new Instance(zoned, zoned.client(Transcoder.utf8()), zoned.asyncClient(Transcoder.utf8()));
        }
    }

    private Instance open(String own) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (MemcachedProcess server : servers) {
            int i = addresses.size();
            addresses.add("server%d=%s@%s".formatted(i, proxied(server), ZONES.get(i % ZONES.size())));
        }
        return Instance.of(opened(builder(String.join(",", addresses))
                .buildZones(ReplicaOptions.of(own).withOwner(ZONES.get(0)).addingOnMiss())));
    }

    @Test
    void everyAcknowledgedWriteIsReadInBothZones() throws Exception {
        startServers(4, true);
        for (String zone : ZONES) {
            instances.add(open(zone));
        }
        for (int i = 0; i < WRITERS; i++) {
            int seed = 2 * i;
            instances.forEach(instance -> start(() -> work(instance, new Random(seed + instances.indexOf(instance)))));
        }
        start(new RandomFaults(7, Duration.ofMillis(100))
                .cutting(1, proxies)
                .resetting(1, proxies)
                .refusing(1, proxies, Duration.ofMillis(300))
                .hanging(1, servers, Duration.ofMillis(300)));
        long start = System.nanoTime();
        eventually(
                "written, in spite of faults",
                SOAK.plusMinutes(5),
                () -> System.nanoTime() - start >= SOAK.toNanos() && acknowledged.sum() >= LEAST_WRITES);
        end(LEAST_FAULTS);
        for (String zone : ZONES) {
            MemcachedClient<String> ofZone = instances.get(0).zoned.zone(zone).client(Transcoder.utf8());
            for (SoakKey key : keys) {
                eventually("a connection comes back", () -> isChecked(key, ofZone));
            }
        }
        assertNothingWrong();
    }

    private void work(Instance by, Random random) {
        for (int i = 0; !isOver; i++) {
            SoakKey key = keys.get(random.nextInt(KEYS));
            if (!key.tryLock()) {
                continue;
            }
            try {
                if (random.nextInt(3) > 0) {
                    write(key, by, random, "value " + i + " of " + instances.indexOf(by));
                }
                isChecked(key, instances.get(random.nextInt(instances.size())).blocking);
            } finally {
                key.unlock();
            }
        }
    }

    private void write(SoakKey key, Instance by, Random random, String value) {
        boolean isBlocking = random.nextBoolean();
        try {
            if (random.nextInt(3) == 0) {
                boolean isDeleted =
                        isBlocking ? by.blocking.delete(key.text()) : Futures.result(by.async.delete(key.text()));
                if (isDeleted != (key.last() != null)) {
                    wrong.add(key.text() + " deleted: " + isDeleted + ", where " + key.last() + " was written last");
                }
                key.wrote(null);
            } else if (key.last() == null && random.nextBoolean()) {
                boolean isAdded = isBlocking
                        ? by.blocking.add(key.text(), value, TTL)
                        : Futures.result(by.async.add(key.text(), value, TTL));
                if (!isAdded) {
                    wrong.add(key.text() + " not added, where it was deleted last");
                }
                key.wrote(value);
            } else {
                if (isBlocking) {
                    by.blocking.set(key.text(), value, TTL);
                } else {
                    Futures.result(by.async.set(key.text(), value, TTL));
                }
                key.wrote(value);
            }
            acknowledged.increment();
        } catch (MemcachedException e) {
            failed.increment();
            key.giveUp();
        }
    }

    /** Compares what a client reads with what was written last; false if it cannot read. */
    private boolean isChecked(SoakKey key, MemcachedClient<String> reader) {
        String found;
        try {
            found = reader.get(key.text());
        } catch (MemcachedException e) {
            return false;
        }
        checked.increment();
        if (key.last() == null ? found != null : !key.last().equals(found)) {
            wrong.add(key.text() + ": " + found + " instead of " + key.last());
        }
        return true;
    }
}
