// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.exception.MemcachedException;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two instances of an application with one cache on three memcacheds. Each loses connections of its own, so that the
 * two disagree about which servers are there. No lookup of either finds an entry that was put before an acknowledged
 * put, eviction or removal of all.
 *
 * <p>Each key has one writer at a time. A key whose write has failed is used no more, because that write may come late.
 * The system property {@code memshard.soak.seconds} says how long.
 */
@NeedsProgram(Program.MEMCACHED)
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("deep")
class ClearUnderFaultsIT {

    private static final Logger LOG = LoggerFactory.getLogger(ClearUnderFaultsIT.class);

    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("memshard.soak.seconds", 6));
    private static final int SERVERS = 3;
    private static final int INSTANCES = 2;
    private static final int WRITERS = 3;
    private static final int KEYS = 200;

    private final List<MemcachedProcess> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Memshard> clients = new ArrayList<>();
    private final List<MemcachedCache> caches = new ArrayList<>();
    private final List<Key> keys = IntStream.range(0, KEYS).mapToObj(Key::new).toList();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Held for writing by who removes all entries. */
    private final ReentrantReadWriteLock removal = new ReentrantReadWriteLock();

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private volatile boolean isOver;

    /** Key with one writer at a time, who holds it. It gets a new name after a write that has failed. */
    private static final class Key extends ReentrantLock {

        private static final long serialVersionUID = 1;

        private final int number;
        private int generation;
        private @Nullable String last;

        Key(int number) {
            this.number = number;
        }

        String text() {
            return "key" + number + '-' + generation;
        }

        void giveUp() {
            generation++;
            last = null;
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        clients.forEach(Memshard::close);
        proxies.forEach(FaultProxy::close);
        servers.forEach(MemcachedProcess::close);
    }

    private void openInstance() throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            FaultProxy proxy = new FaultProxy(servers.get(i).address());
            proxies.add(proxy);
            addresses.add("server%d=127.0.0.1:%d".formatted(i, proxy.address().getPort()));
        }
        Memshard memshard = Memshard.builder()
                .servers(String.join(",", addresses))
                .requestTimeout(Duration.ofSeconds(1)) // Calls may fail.
                .build();
        clients.add(memshard);
        caches.add(Caches.books(
                memshard, MemcachedCacheConfiguration.defaultCacheConfig().withPropagatedFailures(true)));
    }

    @Test
    void noLookupFindsAnOverwrittenEvictedOrClearedEntry() throws Exception {
        for (int i = 0; i < SERVERS; i++) {
            servers.add(MemcachedProcess.start());
        }
        for (int i = 0; i < INSTANCES; i++) {
            openInstance();
        }
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            for (MemcachedCache cache : caches) {
                Random random = new Random(running.size());
                running.add(start(() -> work(cache, random)));
            }
        }
        running.add(start(this::clear));
        running.add(start(this::causeFaults));
        TimeUnit.NANOSECONDS.sleep(DURATION.toNanos()); // The length of the soak.
        eventually(
                "written",
                () -> acknowledged.sum() > 1_000 && hits.sum() > 1_000 && removals.sum() > 2 && failed.sum() > 0);
        isOver = true;
        for (Future<?> each : running) {
            each.get(60, TimeUnit.SECONDS);
        }
        for (MemcachedCache reader : caches) {
            for (Key key : keys) {
                eventually("the server is back", () -> isChecked(key, reader));
            }
        }
        LOG.info("{} writes and {} removals acknowledged, {} failed, {} hits", acknowledged, removals, failed, hits);
        assertThat(wrong).isEmpty();
    }

    private @Nullable Void causeFaults() throws InterruptedException {
        Random random = new Random(7);
        while (!isOver) {
            FaultProxy proxy = proxies.get(random.nextInt(proxies.size()));
            MemcachedProcess server = servers.get(random.nextInt(SERVERS));
            switch (random.nextInt(4)) {
                case 0 -> proxy.cutAll();
                case 1 -> proxy.resetAll();
                case 2 -> {
                    proxy.refuse(true);
                    proxy.cutAll();
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(900)); // The length of the fault.
                    proxy.refuse(false);
                }
                default -> {
                    server.stop();
                    TimeUnit.MILLISECONDS.sleep(50 + random.nextInt(600)); // The length of the fault.
                    server.resume();
                }
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(300)); // Callers get on.
        }
        return null;
    }

    private Future<?> start(Callable<@Nullable Void> task) {
        return threads.submit(task);
    }

    private @Nullable Void work(MemcachedCache by, Random random) {
        for (int i = 0; !isOver; i++) {
            Key key = keys.get(random.nextInt(KEYS));
            removal.readLock().lock();
            key.lock();
            try {
                write(key, by, random, "value " + i + " of " + caches.indexOf(by));
                isChecked(key, caches.get(random.nextInt(INSTANCES)));
            } finally {
                key.unlock();
                removal.readLock().unlock();
            }
        }
        return null;
    }

    private void write(Key key, MemcachedCache by, Random random, String value) {
        try {
            switch (random.nextInt(4)) {
                case 0 -> {
                    by.evict(key.text());
                    key.last = null;
                }
                case 1 -> {
                    Object found = by.get(key.text(), () -> value);
                    if (!value.equals(found) && !String.valueOf(found).equals(key.last)) {
                        wrong.add(key.text() + " loaded: " + found + " instead of " + key.last);
                    }
                    key.last = String.valueOf(found);
                }
                default -> {
                    by.put(key.text(), value);
                    key.last = value;
                }
            }
            acknowledged.increment();
        } catch (MemcachedException e) {
            failed.increment();
            key.giveUp();
        }
    }

    /** Compares what an instance finds with what was put last; false if it cannot look up. */
    private boolean isChecked(Key key, MemcachedCache reader) {
        String found;
        try {
            found = reader.get(key.text(), String.class);
        } catch (MemcachedException e) {
            return false;
        }
        if (found != null && !found.equals(key.last)) {
            wrong.add(key.text() + ": " + found + " instead of " + key.last);
        }
        hits.add(found == null ? 0 : 1);
        return true;
    }

    /** Removes all entries now and then. If that fails, an instance may find the last value of a key, or none. */
    private @Nullable Void clear() throws InterruptedException {
        Random random = new Random(5);
        while (!isOver) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(300)); // Writers get on.
            removal.writeLock().lock();
            try {
                caches.get(random.nextInt(INSTANCES)).clear();
                keys.forEach(key -> key.last = null);
                removals.increment();
            } catch (MemcachedException e) {
                failed.increment();
            } finally {
                removal.writeLock().unlock();
            }
        }
        return null;
    }
}
