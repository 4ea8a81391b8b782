// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.locks.LockProfile.Site;
import io.memshard.bench.locks.LockProfiler.Subject;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes real recordings, in which only one thing is there to wait for. */
class LockProfilerTest {

    private static final int THREADS = 4;

    @TempDir
    private Path folder;

    private final ScheduledExecutorService server = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void endServer() {
        server.shutdownNow();
    }

    @Test
    void contendedReentrantLockIsALockWait() throws Exception {
        ReentrantLock lock = new ReentrantLock();

        LockProfile profile = profile("reentrant", number -> {
            lock.lock();
            try {
                takeAMillisecond();
            } finally {
                lock.unlock();
            }
            letOthersIn();
            return true;
        });

        assertThat(profile.bucket(WaitBucket.LOCK).waits()).isPositive();
        assertOnlyWaitsIn(WaitBucket.LOCK, profile);
        assertThat(firstSite(profile).lockClass()).isEqualTo("java.util.concurrent.locks.ReentrantLock$NonfairSync");
        assertThat(firstSite(profile).ofCallers()).isTrue();
    }

    @Test
    void contendedMonitorIsALockWaitOfWhichBothJfrAndJmcKnowTheOwner() throws Exception {
        Object monitor = new Object();

        LockProfile profile = profile("monitor", number -> {
            synchronized (monitor) {
                takeAMillisecond();
            }
            letOthersIn();
            return true;
        });

        assertOnlyWaitsIn(WaitBucket.LOCK, profile);
        assertThat(firstSite(profile).kind()).isEqualTo(WaitKind.MONITOR_ENTER);
        assertThat(firstSite(profile).frame()).startsWith(LockProfilerTest.class.getName());
        assertThat(firstSite(profile).previousOwner()).isEqualTo("caller-N");
        assertThat(JmcRules.judge(folder.resolve(profile.recording()))).anySatisfy(verdict -> {
            assertThat(verdict.rule()).isEqualTo("Java Blocking");
            assertThat(verdict.severity()).isNotEqualTo("NA");
            // On a busy machine the callers wait for a processor more than for the monitor.
            assertThat(verdict.text()).containsAnyOf("blocked on locks", "lock contention");
        });
    }

    @Test
    void exhaustedPoolIsNotALockWait() throws Exception {
        try (GenericObjectPool<Object> pool = new GenericObjectPool<>(new Objects())) {
            pool.setMaxTotal(1);

            LockProfile profile = profile("pool", number -> {
                Object borrowed = pool.borrowObject();
                takeAMillisecond();
                pool.returnObject(borrowed);
                return true;
            });

            assertThat(profile.bucket(WaitBucket.POOL_EXHAUSTED).waits()).isPositive();
            assertThat(profile.bucket(WaitBucket.POOL_EXHAUSTED).blockedMillisPerSecond())
                    .isGreaterThan(10 * profile.bucket(WaitBucket.LOCK).blockedMillisPerSecond());
            assertThat(profile.bucket(WaitBucket.UNCLASSIFIED).waits()).isZero();
        }
    }

    @Test
    void latchOfAReplyIsNotContention() throws Exception {
        LockProfile profile = profile("latch", number -> {
            CountDownLatch reply = new CountDownLatch(1);
            server.schedule(reply::countDown, 1, TimeUnit.MILLISECONDS);
            return reply.await(5, TimeUnit.SECONDS);
        });

        assertThat(profile.bucket(WaitBucket.REPLY).waits()).isPositive();
        assertThat(profile.bucket(WaitBucket.REPLY).waitsPerThousand()).isBetween(500.0, 1500.0);
        assertThat(profile.bucket(WaitBucket.UNCLASSIFIED).waits()).isZero();
    }

    @Test
    void failedCallsAreCountedApart() throws Exception {
        LockProfile profile = profile("failing", number -> {
            takeAMillisecond();
            if (number % 2 == 0) {
                throw new IOException("no reply");
            }
            return true;
        });

        assertThat(profile.operations()).isPositive();
        assertThat(profile.errors()).isPositive();
    }

    @Test
    void fileThatIsNoProfileIsRefused() {
        assertThatThrownBy(() -> {
                    Path recording = folder.resolve("other.jfr");
                    try (jdk.jfr.Recording other = new jdk.jfr.Recording()) {
                        other.start();
                        other.stop();
                        other.dump(recording);
                    }
                    RecordingReader.read(recording, List.of());
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.jfr holds no io.memshard.bench.Load event");
    }

    @Test
    void settingsAreAFileThatTheJvmAccepts() {
        assertThat(LockProfiler.settings().getSettings())
                .containsEntry("jdk.ThreadPark#threshold", "0 ms")
                .containsEntry("jdk.JavaMonitorEnter#threshold", "0 ms")
                .containsEntry("jdk.JavaMonitorWait#threshold", "0 ms")
                .containsEntry("jdk.ExecutionSample#period", "10 ms");
    }

    /** An unfair lock goes back to the thread that gave it up, unless that thread stays away for a while. */
    private static void letOthersIn() throws InterruptedException {
        takeAMillisecond();
    }

    private static void takeAMillisecond() throws InterruptedException {
        Thread.sleep(1); // How long others wait is what is recorded.
    }

    private LockProfile profile(String name, ProfiledLoad.Call operation) throws Exception {
        Subject subject = new Subject(name, 1, THREADS);
        Path recording = folder.resolve(subject.recordingName());
        new LockProfiler(Duration.ofMillis(50), Duration.ofMillis(400)).record(subject, caller -> operation, recording);
        assertThat(Files.size(recording)).isPositive();
        LockProfile profile = RecordingReader.read(recording, List.of()).profile();
        assertThat(profile.contender()).isEqualTo(name);
        assertThat(profile.threads()).isEqualTo(THREADS);
        assertThat(profile.seconds()).isBetween(0.3, 5.0);
        assertThat(profile.operations()).isPositive();
        assertThat(profile.recording()).isEqualTo("locks-" + name + "-t4.jfr");
        return profile;
    }

    private static void assertOnlyWaitsIn(WaitBucket bucket, LockProfile profile) {
        assertThat(profile.sites())
                .isNotEmpty()
                .allSatisfy(site -> assertThat(site.bucket()).isEqualTo(bucket));
        assertThat(profile.bucket(bucket).waitsPerThousand()).isPositive();
        assertThat(profile.bucket(bucket).blockedMillisPerSecond()).isBetween(1.0, 1500.0);
    }

    private static Site firstSite(LockProfile profile) {
        return profile.sites().get(0);
    }

    private static final class Objects extends BasePooledObjectFactory<Object> {
        @Override
        public Object create() {
            return new Object();
        }

        @Override
        public PooledObject<Object> wrap(Object object) {
            return new DefaultPooledObject<>(object);
        }
    }
}
