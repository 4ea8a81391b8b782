// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two instances, one in each of two zones, over four memcacheds with TLS. Each instance loses connections of its own,
 * so that the two disagree about which servers are there; servers are stopped too. Whatever was acknowledged by one
 * instance is what both read at any time, and what each zone has at the end.
 *
 * <p>Each key has one writer at a time. A key whose write has failed is used no more, because that write may come late.
 * The system property {@code memshard.soak.seconds} says for how long at least.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@NeedsProgram(Program.MEMCACHED)
class ZonesUnderFaultsIT {

    private static final Logger LOG = LoggerFactory.getLogger(ZonesUnderFaultsIT.class);

    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("memshard.soak.seconds", 0));
    private static final Duration TTL = Duration.ofHours(3);
    private static final List<String> ZONES = List.of("a", "b");
    private static final int SERVERS = 4;
    private static final int WRITERS = 4;
    private static final int KEYS = 64;
    private static final int LEAST_WRITES = 300;
    private static final int LEAST_FAULTS = 10;

    @TempDir
    private Path directory;

    private final LeakCheck leaks = LeakCheck.start();
    private final List<MemcachedProcess> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Instance> instances = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<SoakKey> keys = SoakKey.of(KEYS);
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder checked = new LongAdder();
    private volatile boolean isOver;

    /** An instance of the application. */
    private record Instance(ZonedMemshard zoned, MemcachedClient<String> blocking, AsyncMemcachedClient<String> async) {

        static Instance of(ZonedMemshard zoned) {
            return new Instance(zoned, zoned.client(Transcoder.utf8()), zoned.asyncClient(Transcoder.utf8()));
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        instances.forEach(instance -> instance.zoned.close());
        proxies.forEach(FaultProxy::close);
        servers.forEach(MemcachedProcess::close);
        leaks.assertNothingLeft();
    }

    private Instance open(String own, CertificateAuthority authority) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            FaultProxy proxy = new FaultProxy(servers.get(i).address());
            proxies.add(proxy);
            addresses.add(
                    "server%d=127.0.0.1:%d@%s".formatted(i, proxy.address().getPort(), ZONES.get(i % ZONES.size())));
        }
        return Instance.of(Memshard.builder()
                .servers(String.join(",", addresses))
                .tls(TlsOptions.trusting(authority.certificate()))
                .connectionsPerServer(1)
                .requestTimeout(Duration.ofSeconds(1)) // Calls may fail.
                .buildZones(ReplicaOptions.of(own).withOwner(ZONES.get(0)).addingOnMiss()));
    }

    @Test
    void everyAcknowledgedWriteIsReadInBothZones() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued issued = authority.issue("127.0.0.1");
        for (int i = 0; i < SERVERS; i++) {
            servers.add(MemcachedProcess.startTls(issued.certificates(), issued.key()));
        }
        for (String zone : ZONES) {
            instances.add(open(zone, authority));
        }
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            for (Instance instance : instances) {
                int seed = running.size();
                running.add(start(() -> work(instance, new Random(seed))));
            }
        }
        RandomFaults faults = new RandomFaults(7, Duration.ofMillis(100))
                .cutting(1, proxies)
                .resetting(1, proxies)
                .refusing(1, proxies, Duration.ofMillis(300))
                .hanging(1, servers, Duration.ofMillis(300));
        long start = System.nanoTime();
        LongAdder turns = new LongAdder();
        Future<Integer> caused = threads.submit(() -> faults.causeUntil(() -> {
            turns.increment();
            return isOver;
        }));
        eventually(
                "written, in spite of faults",
                DURATION.plusMinutes(5),
                () -> System.nanoTime() - start >= DURATION.toNanos()
                        && acknowledged.sum() >= LEAST_WRITES
                        && turns.sum() > LEAST_FAULTS);
        isOver = true;
        for (Future<?> each : running) {
            each.get(100, TimeUnit.SECONDS);
        }
        int faultsCaused = caused.get(100, TimeUnit.SECONDS);
        for (String zone : ZONES) {
            MemcachedClient<String> ofZone = instances.get(0).zoned.zone(zone).client(Transcoder.utf8());
            for (SoakKey key : keys) {
                eventually("a connection comes back", () -> isChecked(key, ofZone));
            }
        }
        LOG.info(
                "{} writes acknowledged, {} failed, {} reads checked, {} faults",
                acknowledged,
                failed,
                checked,
                faultsCaused);
        assertThat(wrong).isEmpty();
    }

    private Future<?> start(Callable<@Nullable Void> task) {
        return threads.submit(task);
    }

    private @Nullable Void work(Instance by, Random random) {
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
        return null;
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
