// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.lab.data.LockProfile.Waits;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.pool.Pools;
import io.memshard.bench.result.TextFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads real recordings. */
class LockProfileTest {

    private static final int THREADS = 4;

    @TempDir
    private Path folder;

    private final ScheduledExecutorService server = Executors.newSingleThreadScheduledExecutor();
    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();

    @AfterEach
    void endServer() {
        server.shutdownNow();
    }

    @Test
    @Timeout(120)
    void eachWaitIsInTheBucketOfItsCause() throws Exception {
        try (GenericObjectPool<Object> pool = new GenericObjectPool<>(Pools.factory(Object::new))) {
            pool.setMaxTotal(1);
            LockProfile profile;
            Duration window = Duration.ofMillis(100);
            do { // A busy machine may give the callers no processor in a short window.
                profile = profile(window, () -> contend(pool));
                window = window.multipliedBy(2);
            } while (!hasAllWaits(profile));

            assertThat(profile.waits())
                    .filteredOn(Waits::ofCallers)
                    .anySatisfy(place -> {
                        assertThat(place.bucket()).isEqualTo(WaitBucket.LOCK);
                        assertThat(place.lockClass()).isEqualTo("java.util.concurrent.locks.ReentrantLock$NonfairSync");
                    })
                    .anySatisfy(place -> {
                        assertThat(place.bucket()).isEqualTo(WaitBucket.LOCK);
                        assertThat(place.lockClass()).isEqualTo("java.lang.Object");
                        assertThat(place.frame()).startsWith(LockProfileTest.class.getName());
                    })
                    .noneMatch(place -> place.bucket() == WaitBucket.UNCLASSIFIED && place.number() > 0);
            assertThat(profile.waits())
                    .filteredOn(Waits::isTotal)
                    .hasSize(2 * WaitBucket.values().length)
                    .filteredOn(all -> all.ofCallers() && all.bucket() == WaitBucket.LOCK)
                    .singleElement()
                    .satisfies(locks -> assertThat(locks.totalMillis()).isPositive());
        }
    }

    /** Waits for a lock, a monitor, the only object of a pool, and a reply. */
    private void contend(GenericObjectPool<Object> pool) {
        try {
            waitForAll(pool);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void waitForAll(GenericObjectPool<Object> pool) throws Exception {
        lock.lock();
        try {
            takeAMillisecond();
        } finally {
            lock.unlock();
        }
        synchronized (monitor) {
            takeAMillisecond();
        }
        Object borrowed = pool.borrowObject();
        takeAMillisecond();
        pool.returnObject(borrowed);
        CountDownLatch reply = new CountDownLatch(1);
        server.schedule(reply::countDown, 1, TimeUnit.MILLISECONDS);
        reply.await();
    }

    private static boolean hasAllWaits(LockProfile profile) {
        return profile.operations() > 0
                && Stream.of(
                                place(WaitBucket.POOL_EXHAUSTED, "$ConditionObject"),
                                place(WaitBucket.REPLY, "CountDownLatch$Sync"),
                                place(WaitBucket.LOCK, "$NonfairSync"),
                                place(WaitBucket.LOCK, "java.lang.Object"))
                        .allMatch(place -> profile.waits().stream().anyMatch(place));
    }

    private static Predicate<Waits> place(WaitBucket bucket, String lockClass) {
        return waits -> waits.ofCallers()
                && waits.bucket() == bucket
                && waits.lockClass().endsWith(lockClass);
    }

    @Test
    void fileThatIsNoProfileIsRefused() {
        assertThatThrownBy(() -> {
                    Path recording = folder.resolve("other.jfr");
                    try (Recording other = new Recording()) {
                        other.start();
                        other.stop();
                        other.dump(recording);
                    }
                    LockProfile.read(recording);
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.jfr holds no io.memshard.bench.Load event");
    }

    @Test
    void settingsAreAFileThatTheJvmAccepts() throws Exception {
        assertThat(settings().getSettings())
                .containsEntry("jdk.ThreadPark#threshold", "0 ms")
                .containsEntry("jdk.JavaMonitorEnter#threshold", "0 ms")
                .containsEntry("jdk.JavaMonitorWait#threshold", "0 ms")
                .containsEntry("jdk.ExecutionSample#period", "10 ms");
    }

    private static Configuration settings() throws IOException, ParseException {
        return Configuration.create(new StringReader(TextFile.resource(LoadEvent.class, "locks.jfc")));
    }

    private static void takeAMillisecond() throws InterruptedException {
        Thread.sleep(1); // How long others wait is what is recorded.
    }

    /** Records callers that go on with {@code operation}. */
    private LockProfile profile(Duration window, Runnable operation) throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        LongAdder operations = new LongAdder();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread caller = new Thread(
                    () -> {
                        while (!stopped.get()) {
                            operation.run();
                            operations.increment();
                        }
                    },
                    LoadEvent.CALLER + i);
            caller.setDaemon(true);
            callers.add(caller);
        }
        Path recording = folder.resolve("mixed.jfr");
        try (Recording made = new Recording(settings())) {
            callers.forEach(Thread::start);
            made.start();
            LoadEvent event = LoadEvent.begun("mixed", THREADS);
            Thread.sleep(window.toMillis()); // How long callers are under way is what is recorded.
            event.end(operations.sum(), 3);
            made.stop();
            made.dump(recording);
        } finally {
            stopped.set(true);
        }
        for (Thread caller : callers) {
            caller.join();
        }
        LockProfile profile = LockProfile.read(recording);
        assertThat(profile.seconds()).isGreaterThan(0.05);
        return profile;
    }
}
