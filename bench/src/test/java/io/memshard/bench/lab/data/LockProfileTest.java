// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.WaitRow.Waits;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.pool.Pools;
import io.memshard.bench.result.TextFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
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

    private static final ForkKey KEY = new ForkKey("e", Profile.CLOUD, 1, "mixed", Condition.ofThreads(4), true);

    @TempDir
    private Path folder;

    private final ScheduledExecutorService server = Executors.newSingleThreadScheduledExecutor();
    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();
    private volatile boolean stopped;

    @AfterEach
    void endServer() {
        server.shutdownNow();
    }

    @Test
    @Timeout(120)
    void eachWaitIsInTheBucketOfItsCause() throws Exception {
        List<WaitRow> rows;
        Duration window = Duration.ofMillis(100);
        do { // A busy machine may give the callers no processor in a short window.
            rows = record(window);
            window = window.multipliedBy(2);
        } while (!hasAllWaits(rows));

        assertThat(rows).allMatch(row -> row.seconds() > 0.05 && row.cycles() == 11 && !row.dataLost());
        assertThat(rows)
                .filteredOn(row -> row.isOf(WaitBucket.LOCK, true) && !row.isTotal())
                .extracting(WaitRow::waits)
                .anyMatch(place -> place.lockClass().equals("java.lang.Object")
                        && place.frame().startsWith(LockProfileTest.class.getName()));
        assertThat(rows)
                .filteredOn(WaitRow::isTotal)
                .hasSize(2 * WaitBucket.values().length)
                .filteredOn(row -> row.isOf(WaitBucket.LOCK, true))
                .singleElement()
                .satisfies(locks -> assertThat(locks.waits().totalMillis()).isPositive());
        assertThat(rows)
                .noneMatch(row ->
                        row.isOf(WaitBucket.UNCLASSIFIED, true) && row.waits().number() > 0);
    }

    private static boolean hasAllWaits(List<WaitRow> rows) {
        return Stream.of("POOL_EXHAUSTED $ConditionObject", "REPLY Latch$Sync", "LOCK $NonfairSync", "LOCK lang.Object")
                .map(place -> place.split(" "))
                .allMatch(place -> rows.stream()
                        .filter(row -> row.isOf(WaitBucket.valueOf(place[0]), true))
                        .map(WaitRow::waits)
                        .map(Waits::lockClass)
                        .anyMatch(type -> type.endsWith(place[1])));
    }

    /** Records callers that wait for a lock, a monitor, the only object of a pool, and a reply. */
    private List<WaitRow> record(Duration window) throws Exception {
        stopped = false;
        Path recording = folder.resolve("mixed.jfr");
        List<Thread> callers = new ArrayList<>();
        try (GenericObjectPool<Object> pool = new GenericObjectPool<>(Pools.factory(Object::new));
                Recording made = new Recording(
                        Configuration.create(new StringReader(TextFile.resource(LoadEvent.class, "locks.jfc"))))) {
            pool.setMaxTotal(1);
            for (int i = 0; i < 4; i++) {
                callers.add(new Thread(() -> contend(pool), LoadEvent.CALLER + i));
            }
            callers.forEach(Thread::start);
            made.start();
            LoadEvent event = new LoadEvent();
            event.begin();
            Thread.sleep(window.toMillis()); // How long callers are under way is what is recorded.
            event.operations = 11;
            event.commit();
            made.stop();
            made.dump(recording);
            stopped = true;
            for (Thread caller : callers) {
                caller.join();
            }
        }
        return LockProfile.read(KEY, recording);
    }

    private void contend(GenericObjectPool<Object> pool) {
        try {
            while (!stopped) {
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
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void takeAMillisecond() throws InterruptedException {
        Thread.sleep(1); // How long others wait is what is recorded.
    }

    @Test
    void fileThatIsNotAProfileIsRefused() throws Exception {
        Path recording = folder.resolve("other.jfr");
        try (Recording other = new Recording()) {
            other.start();
            other.stop();
            other.dump(recording);
        }

        assertThatThrownBy(() -> LockProfile.read(KEY, recording))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.jfr has no event io.memshard.bench.Load");
    }
}
